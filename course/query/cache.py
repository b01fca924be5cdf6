"""A query cache: the body that was hit last time is tried first this time.

If it is hit again, the query has a short reach from the start and is done soon. But the cached body
is tried without any filter and counts as a block: a mask that has changed since, or a pre-filter
that says NONE, is passed over, and a wrong answer comes back with no sign of it. With room for
touches a cache is not looked at.

`QueryCache` has that danger. `FreshCache` remembers with what it was filled, and is empty for a
scene or a filter that is another one.
"""

from dataclasses import dataclass

from course.query.filters import QueryFilter
from course.query.shapes_in_scene import QueryScene


@dataclass(frozen=True)
class QueryCache:
    """As in PhysX: the name of a body, and nothing else.

    Attributes:
        name: of the body to try first.
    """

    name: str


@dataclass(frozen=True, kw_only=True, eq=False)
class FreshCache:
    """A body, and all that its being hit depended on.

    Attributes:
        name: of the body to try first.
        scene: in which it was hit, and which never changes: a change makes another one.
        filters: that let it pass.
    """

    name: str
    scene: QueryScene
    filters: QueryFilter

    def usable(self, scene: QueryScene, filters: QueryFilter) -> QueryCache | None:
        """What to pass to a query; None if anything has changed, as then filters must be asked."""
        same_filters = (
            filters.words == self.filters.words
            and filters.flags == self.filters.flags
            and filters.pre is self.filters.pre
            and filters.post is self.filters.post
        )
        return QueryCache(self.name) if scene is self.scene and same_filters else None


def cached_name(cache: QueryCache | None, scene: QueryScene) -> str | None:
    """The name in a cache, if there is one.

    Raises:
        TypeError: no cache.
        ValueError: the body has gone. (PhysX would follow a pointer to where it used to be.)
    """
    if cache is None:
        return None
    if not isinstance(cache, QueryCache):
        raise TypeError(f"cache: expected a QueryCache, got {cache!r}")
    return scene.candidate(cache.name).name
