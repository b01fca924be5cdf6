"""Benchmarks live in `bench_*.py`, so that `make test` never takes one for a test."""

from pathlib import Path

import pytest


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Collect them as pytest collects tests."""
    if file_path.match("bench_*.py"):
        return pytest.Module.from_parent(parent, path=file_path)
    return None
