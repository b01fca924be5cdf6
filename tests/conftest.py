"""What all tests share: browser tests run only when asked for."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    # `make test` needs only Python; Chromium and Node are asked for by `-m browser`.
    asked = config.getoption("markexpr") == "browser"
    return True if collection_path == HERE / "browser" and not asked else None
