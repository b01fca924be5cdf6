import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.teaching.events import FILE, MARK, Event, find_workspace, read_events, record


@pytest.fixture
def workspace(tmp_path) -> Path:
    """A marked workspace."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / MARK).write_text("{}")
    return folder


def note(name: str, folder: Path, **changes: str) -> Event | None:
    os.environ.pop("PYTEST_CURRENT_TEST", None)  # pytest sets it anew when a test is torn down
    fields = {"chapter": "10", "result": "right"} | changes
    return record("check", name=name, start=folder, **fields)


def test_an_event_is_written_and_read_back(workspace):
    event = note("depth", workspace)
    assert read_events(workspace) == ((event,), 0)
    assert (event.kind, event.chapter, event.name, event.result) == (
        "check",
        "10",
        "depth",
        "right",
    )
    assert event.time.endswith("+00:00")


def test_events_stay_in_order_one_a_line(workspace):
    written = tuple(note(str(n), workspace) for n in range(5))
    assert read_events(workspace) == (written, 0)
    assert len((workspace / FILE).read_text().splitlines()) == 5


@pytest.mark.parametrize(
    "result", ["深度", "two\nlines", "\u2028\x85\x0b", "\ud800", '"quoted" \\ {}', "x" * 10_000]
)
def test_any_result_is_one_line(workspace, result):
    event = note("depth", workspace, result=result)
    assert read_events(workspace) == ((event,), 0)


def test_a_workspace_is_found_from_the_folders_below_it(workspace, monkeypatch):
    below = workspace / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert note("depth", below) is not None
    assert find_workspace(Path()) == workspace
    assert note("depth", Path()) is not None
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    assert record("quiz", chapter="1", name="q", result="a") is not None
    assert len(read_events(workspace)[0]) == 3


def test_the_nearest_workspace_is_the_one(workspace):
    inner = workspace / "inner"
    inner.mkdir()
    (inner / MARK).write_text("{}")
    note("depth", inner)
    assert read_events(workspace) == ((), 0)
    assert len(read_events(inner)[0]) == 1


def test_nothing_is_recorded_outside_a_workspace(tmp_path):
    assert note("depth", tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_recorded_under_a_test(workspace, monkeypatch):
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "notebook.ipynb::Cell 3 (call)")
    assert record("check", chapter="1", name="a", result="b", start=workspace) is None
    assert not (workspace / FILE).exists()


def test_two_processes_lose_no_event(workspace):
    program = (
        "import sys; from pathlib import Path; from course.teaching.events import record\n"
        "for n in range(500): record('check', chapter=sys.argv[1], name=str(n), result='x' * 300,"
        " start=Path(sys.argv[2]))"
    )
    os.environ.pop("PYTEST_CURRENT_TEST", None)
    writers = [
        subprocess.Popen([sys.executable, "-c", program, who, str(workspace)]) for who in "ab"
    ]
    assert [writer.wait(30) for writer in writers] == [0, 0]
    events, damaged = read_events(workspace)
    assert damaged == 0
    for who in "ab":
        assert [event.name for event in events if event.chapter == who] == list(
            map(str, range(500))
        )


@settings(max_examples=40)
@given(cut=st.integers(1, 200))
def test_a_line_cut_short_is_skipped_and_counted_and_costs_no_other(tmp_path_factory, cut):
    folder = tmp_path_factory.mktemp("workspace")
    (folder / MARK).write_text("{}")
    first = note("first", folder)
    note("cut", folder)
    path = folder / FILE
    whole = path.read_bytes()
    length = len(whole.splitlines(keepends=True)[1])
    path.write_bytes(whole[: len(whole) - length + 1 + (cut - 1) % (length - 2)])
    last = note("last", folder)
    assert read_events(folder) == ((first, last), 1)


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[]",
        "null",
        "3",
        "{}",
        '{"kind": "check"}',
        '{"kind": "check", "chapter": "1", "name": "a", "result": "b", "time": "c", "more": "d"}',
        '{"kind": "check", "chapter": 1, "name": "a", "result": "b", "time": "c"}',
        "[" * 100_000,
        b"\xff\xfe".decode("latin-1"),
    ],
    ids=lambda line: line[:30],
)
def test_a_damaged_line_is_skipped_and_counted(workspace, line):
    event = note("depth", workspace)
    with (workspace / FILE).open("a", encoding="latin-1") as file:
        file.write(line + "\n")
    assert read_events(workspace) == ((event,), 1)


def test_blank_lines_are_no_damage(workspace):
    event = note("depth", workspace)
    with (workspace / FILE).open("a") as file:
        file.write("\n  \n")
    assert read_events(workspace) == ((event,), 0)


def test_a_workspace_without_events_has_none(workspace):
    assert read_events(workspace) == ((), 0)


def test_a_workspace_that_cannot_be_written_to_is_an_oserror(workspace):
    (workspace / FILE).mkdir()  # root may write anywhere, but not into a folder
    with pytest.raises(OSError, match="directory"):
        note("depth", workspace)


def test_an_event_is_plain_json(workspace):
    note("depth", workspace)
    assert set(json.loads((workspace / FILE).read_text())) == {
        "kind",
        "chapter",
        "name",
        "result",
        "time",
    }
