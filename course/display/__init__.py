"""What a reader sees: lab players and 3D scenes that need no kernel and no server."""
