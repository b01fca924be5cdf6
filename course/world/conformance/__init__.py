"""Conformance: the same cases for every caster, judged by what it declares.

    assert_caster_conforms(EmbreeCaster)

A case takes `make_caster`, builds small scenes with it, and asserts. Answers are either known in
closed form, or those of the analytic caster. A difference that the capabilities declare is
expected; any other fails, and says in which case.
"""

from course.world.conformance import accuracy, all_hits, form, known_hits, meshes, starts_and_ends
from course.world.conformance.tools import MakeCaster
from course.world.scene import Scene

__all__ = ["CASES", "MakeCaster", "assert_caster_conforms"]

CASES = (
    known_hits.known_hits,
    form.undeclared_shapes,
    form.empty_scene,
    form.no_rays,
    form.several_rays_and_bodies,
    starts_and_ends.inside_start,
    starts_and_ends.below_plane,
    starts_and_ends.end_of_the_ray,
    meshes.mesh_sides,
    meshes.start_inside_a_closed_mesh,
    meshes.face_and_uv,
    meshes.face_and_uv_give_the_point,
    all_hits.all_hits,
    all_hits.first_of_all_hits,
    accuracy.sag_is_real,
    accuracy.random_scenes,
)


def assert_caster_conforms(make_caster: MakeCaster) -> None:
    """Run every case.

    Args:
        make_caster: makes a caster for a scene, such as the class `AnalyticCaster`.

    Raises:
        AssertionError: names the caster, the case, and what differs.
    """
    name = make_caster(Scene()).capabilities.name
    for case in CASES:
        try:
            case(make_caster)
        except AssertionError as error:
            title = case.__name__.replace("_", " ")
            raise AssertionError(f"{name} caster, case {title!r}: {error}") from error
