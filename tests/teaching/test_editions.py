import ast
import copy
import re

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import (
    new_code_cell,
    new_markdown_cell,
    new_notebook,
    new_output,
    new_raw_cell,
)

from course.teaching.editions import (
    BEGIN,
    END,
    STUB,
    EditionError,
    book_edition,
    learner_edition,
    solution_lines,
    stubbed,
    without_markers,
)

SOLVED = f"""def half(length):
    \"\"\"Half.\"\"\"
    {BEGIN}
    if length:
        return length / 2
    return 0
    {END}
"""
STUBBED = '''def half(length):
    """Half."""
    # YOUR CODE HERE
    raise NotImplementedError
'''
WIDGET = "application/vnd.jupyter.widget-view+json"


def code(source: str, *tags: str, outputs: list | None = None):
    return new_code_cell(
        source, metadata={"tags": list(tags)}, outputs=outputs or [], execution_count=3
    )


def shown(**data: str):
    mimes = {"html": "text/html", "png": "image/png", "text": "text/plain", "widget": WIDGET}
    return new_output(
        "execute_result",
        data={mimes[kind]: value for kind, value in data.items()},
        execution_count=3,
    )


def notebook(*cells):
    made = new_notebook(cells=list(cells), metadata={"widgets": {"state": {"a": 1}}})
    nbformat.validate(made)
    return made


def chapter():
    return notebook(
        new_markdown_cell("# A chapter"),
        code("explore(LAB)", "lab", outputs=[shown(html='<div class="lab" data-lab="a-lab">…</div>', text="A lab")]),
        code("predict('post')", "predict", outputs=[shown(html="<p>?</p>", widget="w")]),
        code("show(image)", outputs=[shown(png="iVBO", text="A wall,\n  seen from above.")]),
        code(SOLVED, "exercise", outputs=[shown(text="never")]),
        code("check('half')", "check", outputs=[new_output("stream", text="half: right\n")]),
    )  # fmt: skip


BOTH = (learner_edition, lambda solved: book_edition(solved, lab_html={"a-lab": "<b>player</b>"}))


# --- both editions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH, ids=["learner", "book"])
def test_an_edition_leaves_its_source_alone_and_is_a_valid_notebook(edition):
    source = chapter()
    before = copy.deepcopy(source)
    made = edition(source)
    assert source == before
    nbformat.validate(made)
    assert len({cell.id for cell in made.cells}) == len(made.cells)


WRONG_MARKERS = {
    f"{END}\n": "a solution ends that never began",
    f"{BEGIN}\nx = 1": "the solution that begins here never ends",
    f"{BEGIN}\nx = 1\n{BEGIN}\n{END}": "a solution begins inside a solution",
    f"{BEGIN}\nx = 1\n{END}\n{END}": "a solution ends that never began",
    f"{END}\nx = 1\n{BEGIN}": "a solution ends that never began",
    f"{BEGIN}\n{END}": "a solution without a line",
    f"{BEGIN}\n\n  \n{END}": "a solution without a line",
    f"def f():\n{BEGIN}\n    return 1\n{END}": "the solution is indented by 4, its beginning by 0",
    f"def f():\n    {BEGIN}\n    return 1\n{END}": "the end is indented by 0, its beginning by 4",
    f"if 1:\n\t{BEGIN}\n    x = 1\n\t{END}": "the solution is indented by 4, its beginning by 1",
    **{
        f"x = 0\n{line}\nx = 1\n{END}": f"{line.strip()!r} is no marker, write {BEGIN!r} or {END!r}"
        for line in (
            "## BEGIN SOLUTION",
            "###BEGIN SOLUTION",
            "### begin solution",
            "### BEGIN  SOLUTION",
            "### BEGIN SOLUTION.",
            "### BEGIN SOLUTIONS",
            "### BEGIN_SOLUTION",
            "# END SOLUTION",
            "x = 2  ### BEGIN SOLUTION",
            "### BEGIN SOLUTION # the easy way",
        )
    },
}


@pytest.mark.parametrize("edition", BOTH, ids=["learner", "book"])
@pytest.mark.parametrize(("source", "reason"), WRONG_MARKERS.items(), ids=repr)
@pytest.mark.parametrize("tags", [(), ("exercise",)])
def test_markers_that_would_let_a_solution_through_are_refused_with_the_number_of_the_cell(
    edition, source, reason, tags
):
    wrong = notebook(new_markdown_cell("one"), code("x = 1"), code(source, *tags))
    with pytest.raises(EditionError) as caught:
        edition(wrong)
    assert str(caught.value) == f"cell 3: {reason}"


@pytest.mark.parametrize("edition", BOTH, ids=["learner", "book"])
@pytest.mark.parametrize("new_cell", [new_markdown_cell, new_raw_cell])
@pytest.mark.parametrize("marker", [BEGIN, END, f"  {BEGIN} "])
def test_markers_outside_code_are_refused(edition, new_cell, marker):
    with pytest.raises(EditionError, match=r"^cell 2: a solution's marker outside a code cell$"):
        edition(notebook(code("x = 1"), new_cell(f"text\n{marker}\nsolution")))


@pytest.mark.parametrize("edition", BOTH, ids=["learner", "book"])
def test_an_exercise_without_a_marked_solution_is_refused(edition):
    with pytest.raises(EditionError, match=r"^cell 1 is tagged `exercise` but marks no solution$"):
        edition(notebook(code("def half(x):\n    return x / 2", "exercise")))


# --- stubs --------------------------------------------------------------------------------------------------


def test_a_solution_becomes_a_stub_at_its_own_indentation():
    assert stubbed(SOLVED, cell_number=1) == STUBBED


@given(
    st.lists(st.sampled_from(["    ", "\t", "  "]), max_size=3),
    st.integers(1, 3),
    st.sampled_from(["", "\n", "x = 1\n"]),
)
def test_stubs_of_any_depth_and_number_parse_and_hold_no_solution(indents, regions, before):
    head, depth = before, ""
    for indent in indents:
        head += f"{depth}if 1:\n"
        depth += indent
    region = "\n".join(
        f"{depth}{line}" for line in (BEGIN, "secret = 1", "if secret:", " secret = 2", END)
    )
    source = head + "\n".join([region, f"{depth}between = 1"] * regions)
    stub = stubbed(source, cell_number=1)
    ast.parse(stub)
    assert "secret" not in stub
    assert stub.count("raise NotImplementedError") == regions
    assert stub.count("between = 1") == regions
    assert solution_lines(source) == ("secret = 1", "if secret:", "secret = 2") * regions
    assert without_markers(source).count("secret") == 3 * regions


@given(st.text(st.characters(exclude_characters="#", codec="utf-8")))
def test_a_source_without_markers_is_left_as_it_is_to_the_character(source):
    assert stubbed(source, cell_number=1) == source
    assert without_markers(source) == source
    assert solution_lines(source) == ()


def test_markers_with_trailing_blanks_are_markers():
    source = SOLVED.replace(BEGIN, f"{BEGIN}  ").replace(END, f"{END}\t")
    assert stubbed(source, cell_number=1) == STUBBED
    assert solution_lines(source) == solution_lines(SOLVED)


@pytest.mark.parametrize(
    "line", ["# the end of the solution", "beginning = solution", "### Solution", "# begin here"]
)
def test_a_comment_that_only_sounds_like_a_marker_is_a_comment(line):
    assert stubbed(line, cell_number=1) == line


# --- the learner's edition ----------------------------------------------------------------------------------


def test_a_learner_gets_no_solution_no_output_no_count_and_no_widget():
    made = learner_edition(chapter())
    assert len(made.cells) == len(chapter().cells)
    assert "widgets" not in made.metadata
    for cell in made.cells:
        assert not set(solution_lines(SOLVED)) & {line.strip() for line in cell.source.split("\n")}
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
    assert made.cells[4].source == STUBBED
    assert [cell.metadata.get("tags") for cell in made.cells] == [
        cell.metadata.get("tags") for cell in chapter().cells
    ]


def test_a_stub_runs_and_says_that_it_is_one():
    namespace = {}
    exec(learner_edition(chapter()).cells[4].source, namespace)
    with pytest.raises(NotImplementedError):
        namespace["half"](1)


def test_the_edition_of_an_edition_is_refused_where_the_solution_is_gone():
    with pytest.raises(EditionError, match=r"^cell 5 is tagged `exercise` but marks no solution$"):
        learner_edition(learner_edition(chapter()))


# --- the book's edition -------------------------------------------------------------------------------------


def book(*cells, **players: str):
    return book_edition(notebook(*cells), lab_html=players).cells


def test_the_player_stands_where_the_panel_was():
    cell = BOTH[1](chapter()).cells[1]
    assert cell.outputs[0].data == {"text/html": "<b>player</b>"}
    assert "remove-input" in cell.metadata.tags


def test_a_lab_without_a_player_is_refused():
    with pytest.raises(
        EditionError,
        match=r"^cell 2: there is no player for lab 'a-lab' \(known: other, third\)$",
    ):
        book_edition(chapter(), lab_html={"other": "", "third": ""})


def test_a_lab_that_was_never_run_is_refused():
    with pytest.raises(
        EditionError, match=r"^cell 1 is tagged `lab` but stores no lab: run `make notebooks`$"
    ):
        book(code("explore(LAB)", "lab"))


def test_an_exercise_is_its_stub_and_then_the_solution_folded_away():
    cells = BOTH[1](chapter()).cells
    assert (cells[4].source, cells[4].outputs) == (STUBBED, [])
    assert cells[5].cell_type == "markdown"
    assert cells[5].source == (
        "::::{dropdown} Solution\n```python\n" + without_markers(SOLVED) + "\n```\n::::"
        "\n\nWith that answer the check says:"
    )
    assert cells[6].source == "check('half')"
    assert cells[6].outputs[0].text == "half: right\n"


@given(st.lists(st.text("`: ab~\n", max_size=12), min_size=1, max_size=4))
def test_no_line_of_a_solution_closes_its_fences(lines):
    body = "\n".join(lines)
    source = f'{BEGIN}\ntext = r"""\n{body}\n"""\n{END}'
    _, dropdown = book(code(source, "exercise"))
    opening, fence, *inside, fence_end, closing, _blank, _words = dropdown.source.split("\n")
    colons, backticks = opening.removesuffix("{dropdown} Solution"), fence.removesuffix("python")
    assert (closing, fence_end) == (colons, backticks)
    assert set(colons) == {":"}
    assert set(backticks) == {"`"}
    for line in inside:
        assert not line.lstrip().startswith((colons, backticks))
    assert "\n".join(inside) == without_markers(source)


def test_ids_stay_unique_and_short_enough_when_they_are_as_long_as_they_may_be():
    exercise = code(SOLVED, "exercise")
    exercise["id"] = "x" * 64
    stub, dropdown = book(exercise)
    assert stub.id != dropdown.id
    assert re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", dropdown.id)


def test_the_words_of_a_picture_become_its_alt_text_beside_what_the_author_set():
    picture = code("show(image)", outputs=[shown(png="iVBO", text="A wall,\n  seen from above.")])
    picture.metadata["mystnb"] = {"figure": {"caption": "A wall"}, "image": {"width": "50%"}}
    (cell,) = book(picture)
    assert cell.metadata.mystnb == {
        "figure": {"caption": "A wall"},
        "image": {"width": "50%", "alt": "A wall, seen from above."},
    }


def test_two_pictures_of_one_cell_may_not_share_one_alt_text():
    pictures = [shown(png="iVBO", text="A wall."), shown(png="iVBO", text="A post.")]
    with pytest.raises(
        EditionError, match=r"^cell 1 shows 2 pictures, which would share one alt text$"
    ):
        book(code("both()", outputs=pictures))


def test_a_cell_without_a_picture_gets_no_alt_text():
    (cell,) = book(code("1 + 1", outputs=[shown(text="2"), new_output("stream", text="hello")]))
    assert "mystnb" not in cell.metadata


@pytest.mark.parametrize("tag", ["predict", "quiz", "scene"])
def test_the_one_line_of_code_that_shows_a_question_or_a_scene_is_left_out(tag):
    (cell,) = book(code("quiz()", tag, outputs=[shown(html="<p>?</p>")]))
    assert cell.metadata.tags == sorted([tag, "remove-input"])
    assert cell.source == "quiz()"


def test_the_lines_of_a_stub_are_what_a_learner_meets():
    assert STUB == ("# YOUR CODE HERE", "raise NotImplementedError")
