"""What a query has to know of a body besides its geometry, and the scene that queries look into.

`course.world.Scene` stays what it is: shapes and poses. Beside it stands a record for each body
whose settings are not the usual ones, by name; a name is the id of a body, and remains it when
other bodies come and go. Like a scene, none of this ever changes: a change makes another scene.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from course.query.bounds import bounds
from course.query.traversal import Tree
from course.query.words import NO_WORDS, Words, as_words
from course.world.scene import Body, Scene


@dataclass(frozen=True, kw_only=True)
class QueryShape:
    """How a body takes part in queries.

    Attributes:
        takes_part: whether queries see it at all. Nothing else hides it: a trigger that takes part
            is hit like any other shape.
        dynamic: whether it belongs to the moving bodies; else it is static.
        words: compared with the words of a query.
        simulation_words: decide what it collides with. No query reads them.
        trigger: whether it only reports contacts and exerts no force. No query reads this either.

    Raises:
        TypeError, ValueError: as `as_words`, or no truth value.
    """

    takes_part: bool = True
    dynamic: bool = False
    words: Words = NO_WORDS
    simulation_words: Words = NO_WORDS
    trigger: bool = False

    def __post_init__(self) -> None:
        for name in ("takes_part", "dynamic", "trigger"):
            if not isinstance(value := getattr(self, name), bool):
                raise TypeError(f"QueryShape.{name}: expected True or False, got {value!r}")
        for name in ("words", "simulation_words"):
            words = as_words(getattr(self, name), name=f"QueryShape.{name}")
            object.__setattr__(self, name, words)


@dataclass(frozen=True, kw_only=True, eq=False)
class Candidate:
    """A body as filters see it.

    Attributes:
        body: name, shape, pose.
        settings: how it takes part.
    """

    body: Body
    settings: QueryShape

    @property
    def name(self) -> str:
        """The id of the body."""
        return self.body.name


@dataclass(frozen=True, eq=False)
class QueryScene:
    """A scene to be asked.

    Attributes:
        scene: bodies.
        settings: name -> how that body takes part; the usual `QueryShape()` for those not named.

    Raises:
        TypeError: no scene, or settings that are no `QueryShape`.
        ValueError: settings for a body that is not in the scene.
    """

    scene: Scene
    settings: Mapping[str, QueryShape] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.scene, Scene):
            raise TypeError(f"QueryScene.scene: expected a Scene, got {self.scene!r}")
        for name, settings in self.settings.items():
            self.scene.index_of(name)
            if not isinstance(settings, QueryShape):
                raise TypeError(
                    f"QueryScene: settings of {name!r}: expected a QueryShape, got {settings!r}"
                )
        object.__setattr__(self, "settings", MappingProxyType(dict(self.settings)))

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """All bodies, in the order of the scene."""
        usual = QueryShape()
        return tuple(
            Candidate(body=body, settings=self.settings.get(body.name, usual))
            for body in self.scene.bodies
        )

    def candidate(self, name: str) -> Candidate:
        """The body of a name.

        Raises:
            ValueError: no such body; lists those that there are.
        """
        return self.candidates[self.scene.index_of(name)]

    @cached_property
    def static_tree(self) -> Tree:
        """Of the static bodies that take part. It is asked first."""
        return self._tree(dynamic=False)

    @cached_property
    def dynamic_tree(self) -> Tree:
        """Of the dynamic bodies that take part."""
        return self._tree(dynamic=True)

    def with_settings(self, name: str, settings: QueryShape) -> "QueryScene":
        """The same scene, except that one body takes part in another way."""
        return QueryScene(self.scene, {**self.settings, name: settings})

    def without(self, name: str) -> "QueryScene":
        """The same scene without one body."""
        gone = self.scene.index_of(name)
        bodies = [body for place, body in enumerate(self.scene.bodies) if place != gone]
        settings = {other: value for other, value in self.settings.items() if other != name}
        return QueryScene(Scene(bodies), settings)

    def _tree(self, *, dynamic: bool) -> Tree:
        places = [
            place
            for place, candidate in enumerate(self.candidates)
            if candidate.settings.takes_part and candidate.settings.dynamic is dynamic
        ]
        return Tree.over(places, [bounds(self.candidates[place].body) for place in places])
