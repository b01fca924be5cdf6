"""The claim ledger: what the course must show, and what real engines answered."""
