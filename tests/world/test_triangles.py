import numpy as np
import pytest

from course.world.poses import IDENTITY, pose
from course.world.scene import Body
from course.world.shapes import Box, Plane, Sphere
from course.world.triangles import mesh_in_world, sphere_sag

X_WB = pose(translation=(1, -2, 3), rotation=[[0.6, 0, 0.8], [0, 1, 0], [-0.8, 0, 0.6]])


def volume(mesh):
    """Signed: positive if the faces are counterclockwise as seen from outside."""
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


@pytest.mark.parametrize("X", [IDENTITY, X_WB])
def test_a_box_is_meshed_exactly(X):
    mesh = mesh_in_world(Body(name="box", shape=Box((1, 2, 3)), X_WB=X))
    assert len(mesh.faces) == 12
    assert volume(mesh) == pytest.approx(6, rel=1e-13)
    corners = np.abs(X.inv().apply(mesh.vertices))
    np.testing.assert_allclose(corners, np.broadcast_to([0.5, 1, 1.5], (8, 3)), rtol=1e-13)


def test_the_vertices_of_a_sphere_lie_on_it_and_its_facets_inside_by_the_sag():
    mesh = mesh_in_world(Body(name="ball", shape=Sphere(2), X_WB=X_WB))
    p_BV = mesh.vertices - X_WB.translation
    np.testing.assert_allclose(np.linalg.norm(p_BV, axis=1), 2, rtol=1e-14)
    centres = p_BV[mesh.faces].mean(axis=1)
    assert 2 * (1 - sphere_sag()) <= np.linalg.norm(centres, axis=1).min() < 2
    assert 0.99 < volume(mesh) / (4 / 3 * np.pi * 2**3) < 1


@pytest.mark.parametrize("shape", [Box((1, 2, 3)), Sphere(0.5), Sphere(1e-9), Box((1e-6, 1, 1e6))])
def test_normals_are_unit_out_of_the_solid_and_across_their_face(shape):
    mesh = mesh_in_world(Body(name="solid", shape=shape, X_WB=pose(rotation=X_WB.rotation)))
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1, rtol=1e-14)
    assert (np.einsum("ij,ij->i", mesh.normals, a + b + c) > 0).all()
    for edge in (b - a, c - a):
        across = np.einsum("ij,ij->i", mesh.normals, edge) / np.linalg.norm(edge, axis=1)
        np.testing.assert_allclose(across, 0, atol=1e-9)


def test_a_plane_is_no_mesh():
    with pytest.raises(TypeError, match="body 'floor': a plane has no end, so it is no mesh"):
        mesh_in_world(Body(name="floor", shape=Plane(), X_WB=IDENTITY))
