"""How foreign text and numbers are written for a reader: on one printable line, and with their unit."""


def one_line(text: str, *, limit: int | None = None) -> str:
    r"""Text on one line that any terminal, JSON file and notebook can hold.

    White space of every kind becomes spaces, what else cannot be printed its escape (`\x1b`, `\ud800`), and what lies
    beyond the limit an ellipsis: a learner's error message or print may hold anything.
    """
    if limit is not None and len(text) > limit:
        text = text[:limit] + " …"
    return "".join(map(_printable, text)).rstrip()


def with_unit(number: str, unit: str) -> str:
    """A number as text with its unit; `""` is the unit of counts and words."""
    return f"{number} {unit}" if unit else number


def _printable(character: str) -> str:
    if character.isspace():
        return " "
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode()
