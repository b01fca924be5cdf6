from importlib.metadata import PackageNotFoundError

import pytest

from course.teaching import requirements


@pytest.fixture
def installed(monkeypatch):
    """Sets what the package requires and which versions are found, and returns the problems."""

    def problems(required: list[str] | None, found: dict[str, str]) -> tuple[str, ...]:
        def version(name: str) -> str:
            if name not in found:
                raise PackageNotFoundError(name)
            return found[name]

        monkeypatch.setattr(requirements, "requires", lambda _distribution: required)
        monkeypatch.setattr(requirements, "version", version)
        return requirements.problems()

    return problems


def test_this_environment_has_no_problem():
    assert requirements.problems() == ()


@pytest.mark.parametrize(
    ("required", "found", "problems"),
    [
        (None, {}, ()),
        (["numpy"], {"numpy": "2.0"}, ()),
        (["numpy"], {}, ("numpy is not installed",)),
        (["scipy>=1.16"], {"scipy": "1.16.0"}, ()),
        (["scipy>=1.16"], {"scipy": "1.17.0rc1"}, ()),
        (["scipy>=1.16"], {"scipy": "1.9"}, ("scipy>=1.16 is needed, and 1.9 is installed",)),
        (["furo; extra == 'book'"], {}, ()),
        (["numpy; sys_platform == 'nowhere'"], {}, ()),
        (["pybullet"], {}, ()),
        (["a", "b>2"], {"b": "1"}, ("a is not installed", "b>2 is needed, and 1 is installed")),
    ],
)
def test_what_is_missing_or_too_old_is_said_in_one_line_each(installed, required, found, problems):
    assert installed(required, found) == problems


def test_a_kernel_of_another_environment_is_noticed(monkeypatch):
    def requires(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(requirements, "requires", requires)
    assert requirements.problems() == (
        "the package sensing-workbook is not installed in this kernel's environment",
    )
