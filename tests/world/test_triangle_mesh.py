import re

import numpy as np
import pytest
import trimesh

from course.world.triangle_mesh import TriangleMesh

CORNERS = np.array([(0, 0, 0), (2, 0, 0), (2, 3, 0), (0, 3, 6)])
FACES = np.array([(0, 1, 2), (0, 2, 3)])


def test_arrays_are_copied_and_read_only():
    vertices, faces = CORNERS.astype(float), FACES.astype(np.int32)
    mesh = TriangleMesh(vertices, faces)
    vertices[:], faces[:] = 7, 0
    np.testing.assert_array_equal(mesh.vertices, CORNERS)
    np.testing.assert_array_equal(mesh.faces, FACES)
    for array in (mesh.vertices, mesh.faces, mesh.normals, mesh.points([0], [(0.2, 0.3)])):
        assert not array.flags.writeable


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint64, np.int64])
def test_any_integers_and_lists_are_taken(dtype):
    mesh = TriangleMesh(CORNERS.astype(np.float32), FACES.astype(dtype))
    assert (mesh.vertices.dtype, mesh.faces.dtype) == (np.float64, np.int32)
    listed = TriangleMesh(CORNERS.tolist(), FACES.tolist())
    np.testing.assert_array_equal(listed.faces, mesh.faces)


def test_a_mesh_is_equal_to_no_other_and_says_its_size():
    one, other = TriangleMesh(CORNERS, FACES), TriangleMesh(CORNERS, FACES)
    assert one != other
    assert len({one, other}) == 2
    assert repr(one) == "TriangleMesh(4 vertices, 2 faces)"


def test_the_bounding_radius_is_that_of_faces_not_of_vertices_that_none_names():
    assert TriangleMesh(CORNERS, FACES).bounding_radius == np.hypot(3, 6)
    assert TriangleMesh(CORNERS, FACES[:1]).bounding_radius == np.hypot(2, 3)


@pytest.mark.parametrize("scale", [1, 1e-160, 1e160])
def test_normals_point_to_where_corners_are_counterclockwise(scale):
    mesh = trimesh.creation.icosphere(subdivisions=3)
    normals = TriangleMesh(mesh.vertices * scale, mesh.faces).normals
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, rtol=1e-15)
    assert (np.einsum("ij,ij->i", normals, mesh.triangles_center) > 0.9).all()
    for edge in np.moveaxis(np.diff(mesh.triangles, axis=1), 1, 0):
        np.testing.assert_allclose(np.einsum("ij,ij->i", normals, edge), 0, atol=1e-15)


def test_normals_of_slivers_are_across_their_long_edges():
    """A face 1 m long and a nanometre high, wherever its short edge is."""
    corners = np.array([(0, 0, 0), (1, 0, 0), (0.5, 6e-10, 8e-10)])
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        mesh = TriangleMesh(corners, [order])
        np.testing.assert_allclose(mesh.normals, [(0, -0.8, 0.6)], atol=1e-15)


def test_points_are_at_the_corners_for_u_and_v_of_zero_and_one():
    mesh = TriangleMesh(CORNERS, FACES)
    uv = [(0, 0), (1, 0), (0, 1), (0.25, 0.5), (0.5, 0.5)]
    expected = [*CORNERS[[0, 2, 3]], (0.5, 2.25, 3), (np.nan,) * 3]
    np.testing.assert_array_equal(mesh.points([1, 1, 1, 1, -1], uv), expected)


@pytest.mark.parametrize(
    ("vertices", "faces", "error", "message"),
    [
        (CORNERS, [], ValueError, "faces: expected shape (F, 3), got (0,); triangles only"),
        (CORNERS, np.zeros((0, 3), int), ValueError, "faces: expected at least one face, got none"),
        (CORNERS, [(0, 1, 2, 3)], ValueError, "faces: expected shape (F, 3), got (1, 4); tri"),
        (CORNERS, [(0, 1, 2), (0, 1)], ValueError, "faces: got rows of different lengths; tria"),
        (CORNERS, FACES.astype(float), TypeError, "faces: expected whole numbers, got float64; "),
        (CORNERS, FACES > 0, TypeError, "faces: expected whole numbers, got bool; "),
        (CORNERS, "abc", TypeError, "faces: expected whole numbers, got <U3"),
        (
            CORNERS,
            [(0, 1, 2), (2, 3, 4)],
            ValueError,
            "faces: face 1 is [2, 3, 4], expected places among 4 vertices: 0 to 3 (some formats co",
        ),
        (CORNERS, [(0, 1, 2), (0, 1, -1)], ValueError, "faces: face 1 is [0, 1, -1], expected pla"),
        (CORNERS, [(0, 1, 2), (3, 1, 3)], ValueError, "faces: face 1 is [3, 1, 3] and has no area"),
        (CORNERS, [(2, 2, 2)], ValueError, "faces: face 0 is [2, 2, 2] and has no area"),
        (
            [(0.1, 0.1, 0.1), (0.2, 0.2, 0.2), (0.7, 0.7, 0.7)],
            [(0, 1, 2)],
            ValueError,
            "faces: face 0 is [0, 1, 2] and has no area: its corners lie on one line, so it has no n",
        ),
        (np.zeros((0, 3)), [(0, 1, 2)], ValueError, "faces: face 0 is [0, 1, 2], expected places"),
        (CORNERS[:, :2], FACES, ValueError, "vertices: expected shape (V, 3), got (4, 2)"),
        (CORNERS > 0, FACES, TypeError, "vertices: expected real numbers, got bool"),
        (
            np.where(CORNERS == 6, np.inf, CORNERS),
            FACES[:1],
            ValueError,
            "vertices: expected finite numbers, got inf at index (3, 2)",
        ),
    ],
)
def test_a_broken_mesh_is_refused(vertices, faces, error, message):
    with pytest.raises(error, match=re.escape(f"TriangleMesh.{message}")):
        TriangleMesh(vertices, faces)


def test_points_refuses_other_shapes():
    mesh = TriangleMesh(CORNERS, FACES)
    with pytest.raises(ValueError, match=re.escape("uv: expected shape (1, 2), got (1, 3)")):
        mesh.points([0], [(0, 0, 1)])
    with pytest.raises(IndexError):
        mesh.points([2], [(0, 0)])
