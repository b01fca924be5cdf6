"""What the commands of `course` do, one module each: the roof, which may import every other part."""
