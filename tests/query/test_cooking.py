import numpy as np
import pytest
import trimesh

from course.query import QueryScene, cooked, raycast
from course.world import Body, Scene, TriangleMesh, pose


@pytest.fixture(scope="module")
def ball():
    made = trimesh.creation.icosphere(subdivisions=2)
    return TriangleMesh(made.vertices, made.faces)


def test_a_cooked_mesh_has_the_same_faces_in_another_order(ball):
    result = cooked(ball)
    assert sorted(result.source_faces) == list(range(len(ball.faces)))
    assert (result.source_faces != np.arange(len(ball.faces))).any()
    np.testing.assert_array_equal(result.mesh.faces, ball.faces[result.source_faces])
    np.testing.assert_array_equal(result.mesh.normals, ball.normals[result.source_faces])


def test_the_way_back_is_needed_and_leads_back(ball, rng):
    def face_hit(mesh, d_W):
        scene = QueryScene(Scene([Body(name="ball", shape=mesh, X_WB=pose())]))
        return raycast(scene, -3 * d_W, d_W, 9).block.face

    result, differ = cooked(ball), 0
    for d_W in rng.normal(size=(40, 3)):
        d_W /= np.linalg.norm(d_W)
        face = face_hit(result.mesh, d_W)
        assert result.source_face(face) == face_hit(ball, d_W)
        differ += face != face_hit(ball, d_W)
    assert differ > 20


def test_a_face_that_there_is_not_is_refused(ball):
    with pytest.raises(ValueError, match="face: expected 0 to 319, got 320"):
        cooked(ball).source_face(320)
