import numpy as np
import pytest

from course.world.poses import IDENTITY, pose
from course.world.scene import Body
from course.world.shapes import Box, Capsule, Cylinder, Plane, Sphere
from course.world.triangle_mesh import TriangleMesh
from course.world.triangles import mesh_in_world, sag_of_curves

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


def from_axis(x, half):
    """Vectors to points from the nearest point of the axis z between -half and half."""
    return x - np.clip(x[:, 2:], -half, half) * (0, 0, 1)


CURVED = [
    (Sphere(2), 0, 4 / 3 * np.pi * 2**3),
    (Capsule(2, 5), 2.5, 4 / 3 * np.pi * 2**3 + np.pi * 2**2 * 5),
    (Capsule(2, 1e-3), 0.5e-3, 4 / 3 * np.pi * 2**3 + np.pi * 2**2 * 1e-3),
    (Cylinder(2, 5), 2.5, np.pi * 2**2 * 5),
]


@pytest.mark.parametrize(("shape", "half", "exact_volume"), CURVED)
def test_vertices_lie_on_a_curved_surface_and_facets_inside_by_the_sag(shape, half, exact_volume):
    mesh = mesh_in_world(Body(name="solid", shape=shape, X_WB=X_WB))
    x = X_WB.inv().apply(mesh.vertices)
    on_axis = np.linalg.norm(x[:, :2], axis=1) < 1e-9
    flat_ended = isinstance(shape, Cylinder)
    radii = np.linalg.norm(from_axis(x, half), axis=1)[~(on_axis & flat_ended)]
    np.testing.assert_allclose(radii, 2, rtol=1e-14)
    # Points spread over every facet, against the surface: this knows nothing of planes and normals.
    weights = np.random.default_rng(0).dirichlet((1, 1, 1), size=20)
    points = np.einsum("wk,fki->fwi", [(1 / 3, 1 / 3, 1 / 3), *weights], x[mesh.faces])
    if flat_ended:
        points = points[np.abs(points[..., 2]).min(axis=1) < half - 1e-9]
    depth = 1 - np.linalg.norm(from_axis(points.reshape(-1, 3), half), axis=1) / 2
    assert depth.min() >= -1e-14
    assert 0.5 * sag_of_curves() < depth.max() <= sag_of_curves()
    assert 0.99 < volume(mesh) / exact_volume < 1


@pytest.mark.parametrize("shape", [Capsule(0.5, 2), Cylinder(0.5, 2)])
def test_curved_meshes_are_as_long_as_their_solid_and_closed(shape):
    mesh = mesh_in_world(Body(name="solid", shape=shape, X_WB=IDENTITY))
    tip = 1.5 if isinstance(shape, Capsule) else 1
    np.testing.assert_allclose([mesh.vertices[:, 2].min(), mesh.vertices[:, 2].max()], (-tip, tip))
    edges = np.concatenate([mesh.faces[:, pair] for pair in ([0, 1], [1, 2], [2, 0])])
    assert len(np.unique(edges, axis=0)) == len(edges)  # no edge is used twice in one direction,
    np.testing.assert_array_equal(  # and each is used once in either
        np.unique(edges, axis=0), np.unique(edges[:, ::-1], axis=0)
    )


@pytest.mark.parametrize(
    "shape",
    [
        Box((1, 2, 3)),
        Box((1e-6, 1, 1e6)),
        Sphere(0.5),
        Sphere(1e-9),
        Capsule(0.5, 2),
        Capsule(0.1, 100),
        Cylinder(0.5, 2),
        Cylinder(2, 0.01),
    ],
)
def test_normals_are_unit_out_of_the_solid_and_across_their_face(shape):
    mesh = mesh_in_world(Body(name="solid", shape=shape, X_WB=pose(rotation=X_WB.rotation)))
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1, rtol=1e-14)
    assert (np.einsum("ij,ij->i", mesh.normals, a + b + c) > 0).all()
    for edge in (b - a, c - a):
        across = np.einsum("ij,ij->i", mesh.normals, edge) / np.linalg.norm(edge, axis=1)
        np.testing.assert_allclose(across, 0, atol=1e-9)


def test_a_mesh_is_taken_as_it_is():
    shape = TriangleMesh([(0, 0, 0), (1, 0, 0), (0, 2, 0), (5, 5, 5)], [(2, 0, 1)])
    mesh = mesh_in_world(Body(name="sheet", shape=shape, X_WB=X_WB))
    np.testing.assert_array_equal(mesh.faces, shape.faces)
    np.testing.assert_allclose(mesh.vertices, X_WB.apply(np.array(shape.vertices)), rtol=1e-15)
    np.testing.assert_allclose(mesh.normals, [X_WB.rotation.apply((0, 0, 1))], rtol=1e-15)


def test_a_plane_is_no_mesh():
    with pytest.raises(TypeError, match="body 'floor': a plane has no end, so it is no mesh"):
        mesh_in_world(Body(name="floor", shape=Plane(), X_WB=IDENTITY))
