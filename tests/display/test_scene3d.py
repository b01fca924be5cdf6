import base64
import subprocess
import sys

import numpy as np
import pytest
import umsgpack
from scipy.spatial.transform import RigidTransform

from course.display.meshcat_commands import pack
from course.display.scene3d import Box, Lines, Points, Scene, Sphere, show_scene, viewer_files

TURNED = RigidTransform.from_exp_coords([0, 0, 0.3, 1, 2, 3])
CLOUD = np.random.default_rng(0).normal(size=(7, 3))


def a_scene() -> Scene:
    return Scene(
        shapes=(
            Box(name="wall", size=[2, 0.1, 1], color="#d1242f", X_WB=TURNED),
            Sphere(name="ball", radius=0.3),
            Lines(name="camera/rays", starts_B=np.zeros((7, 3)), ends_B=CLOUD),
            Points(name="camera/hits", points_B=CLOUD, color="#ff8000"),
        )
    )


def decoded(scene: Scene) -> list[dict]:
    return [umsgpack.unpackb(command) for command in pack(scene)]


def command(scene: Scene, kind: str, path: str) -> dict:
    (found,) = [c for c in decoded(scene) if c["type"] == kind and c["path"] == path]
    return found


def test_packs_to_the_same_bytes_in_another_process():
    code = (
        "from course.display.scene3d import *; from course.display.meshcat_commands import pack;"
        "from hashlib import sha256;"
        "s = Scene(shapes=(Box(name='a', size=[1, 2, 3]), Sphere(name='b', radius=1)));"
        "print(sha256(b''.join(pack(s))).hexdigest())"
    )
    runs = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
        for _ in range(2)
    }
    assert len(runs) == 1


def test_html_is_the_same_on_each_call_and_small():
    first, second = (show_scene(a_scene(), title="T", alt="Words.").html for _ in range(2))
    assert first == second
    assert len(first) < 8_000


def test_uuids_differ_within_a_scene():
    uuids = [
        element["uuid"]
        for c in decoded(a_scene())
        if c["type"] == "set_object"
        for element in (
            c["object"]["object"],
            *c["object"]["geometries"],
            *c["object"]["materials"],
        )
    ]
    assert len(uuids) == len(set(uuids)) == 12


def test_box_has_its_size_color_and_pose():
    packed = command(a_scene(), "set_object", "/workbook/wall")["object"]
    (geometry,), (material,) = packed["geometries"], packed["materials"]
    assert [geometry[edge] for edge in ("width", "height", "depth")] == [2, 0.1, 1]
    assert material["color"] == 0xD1242F
    matrix = command(a_scene(), "set_transform", "/workbook/wall")["matrix"]
    np.testing.assert_array_equal(np.reshape(matrix, (4, 4)).T, TURNED.as_matrix())


def test_points_keep_rows_as_points():
    (geometry,) = command(a_scene(), "set_object", "/workbook/camera/hits")["object"]["geometries"]
    position = geometry["data"]["attributes"]["position"]
    sent = np.frombuffer(position["array"].data, np.float32).reshape(-1, 3)
    np.testing.assert_array_equal(sent, CLOUD.astype(np.float32))
    assert position["itemSize"] == 3


def test_points_share_one_color():
    packed = command(a_scene(), "set_object", "/workbook/camera/hits")["object"]
    (geometry,), (material,) = packed["geometries"], packed["materials"]
    assert set(geometry["data"]["attributes"]) == {"position"}
    assert (material["color"], material["vertexColors"], material["opacity"]) == (0xFF8000, 0, 1)


def test_lines_alternate_start_and_end():
    (geometry,) = command(a_scene(), "set_object", "/workbook/camera/rays")["object"]["geometries"]
    array = geometry["data"]["attributes"]["position"]["array"].data
    sent = np.frombuffer(array, np.float32).reshape(-1, 2, 3)
    np.testing.assert_array_equal(sent[:, 0], 0)
    np.testing.assert_array_equal(sent[:, 1], CLOUD.astype(np.float32))


@pytest.mark.parametrize("eye", [(1, 0, 0), (-1, 2, 0.5), (0, -1, 3)])
@pytest.mark.parametrize("size", [0.05, 1, 300])
def test_camera_has_every_corner_in_view(eye, size):
    box = Box(name="b", size=[size, 2 * size, size], X_WB=TURNED)
    scene = Scene(shapes=(box,), eye_W=eye)
    to_viewer = np.reshape(command(scene, "set_transform", "/workbook")["matrix"], (4, 4)).T
    x, y, z = command(scene, "set_property", "/Cameras/default/rotated/<object>")["value"]
    eye_V = np.array([x, -z, y])  # MeshCat's camera looks at the viewer's origin
    back = eye_V / np.linalg.norm(eye_V)
    np.testing.assert_allclose(back, np.array(eye) / np.linalg.norm(eye), atol=1e-12)
    right = np.cross([0, 0, 1], back) / np.linalg.norm(np.cross([0, 0, 1], back))
    seen = []
    for corner in box.corners_W():
        sight = to_viewer[:3, :3] @ corner + to_viewer[:3, 3] - eye_V
        depth = -sight @ back
        assert depth > 0.01  # the viewer's near plane
        seen += [abs(sight @ right) / depth, abs(sight @ np.cross(back, right)) / depth]
    assert 0.7 < max(seen) / np.tan(np.radians(75 / 2)) < 1


def test_points_keep_their_size_in_the_scaled_scene():
    (material,) = command(a_scene(), "set_object", "/workbook/camera/hits")["object"]["materials"]
    assert material["size"] == pytest.approx(0.02 / a_scene().middle_and_radius()[1])


def test_html_carries_the_packed_scene_and_the_words():
    view = show_scene(a_scene(), title='A "wall"', alt="One < two.")
    data = view.html.split('data-scene="')[1].split('"')[0]
    assert tuple(base64.b64decode(part) for part in data.split(" ")) == pack(a_scene())
    assert "A &quot;wall&quot;" in view.html
    assert "One &lt; two." in view.html
    assert view.text == 'A "wall". One < two.'


def test_widget_holds_the_viewer_and_the_page_does_not():
    view = show_scene(a_scene(), title="T", alt="Words.")
    bundle = view._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain", "application/vnd.jupyter.widget-view+json"}
    assert "MeshCat.Viewer" in view.widget.value
    assert len(view.widget.value) > 800_000
    assert "&lt;script src=" not in view.widget.value


def test_viewer_files_exist_with_their_licences():
    names = {path.name for path in viewer_files() if path.stat().st_size}
    assert {"viewer.html", "main.min.js", "LICENSE", "main.min.js.LICENSE.txt"} < names


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Points(name="p", points_B=np.zeros((3, 8))), r"shape \(3, 8\).*did you mean"),
        (lambda: Points(name="p", points_B=np.zeros((0, 3))), r"shape \(0, 3\), expected \(N, 3\)"),
        (lambda: Points(name="p", points_B=[[0, 0, np.nan]]), "not finite"),
        (lambda: Points(name="p", points_B=CLOUD, size=0), "size is 0"),
        (
            lambda: Lines(name="l", starts_B=CLOUD, ends_B=CLOUD[:2]),
            "7 starts_B but 2 ends_B",
        ),
        (lambda: Box(name="b", size=[1, 0, 1]), "3 positive lengths in m"),
        (lambda: Box(name="b", size=[1, 1, 1], color="red"), "'red', expected '#rrggbb'"),
        (lambda: Box(name="b", size=[1, 1, 1], opacity=0), "opacity is 0"),
        (lambda: Box(name="a//b", size=[1, 1, 1]), "single '/'"),
        (lambda: Box(name="b", size=[1, 1, 1], X_WB=2 * np.eye(4)), "not a pose"),
        (lambda: Box(name="b", size=[1, 1, 1], X_WB=np.diag([1, 1, -1, 1])), "not a pose"),
        (lambda: Box(name="b", size=[1, 1, 1], X_WB=np.eye(3)), r"shape \(3, 3\)"),
        (lambda: Sphere(name="s", radius=float("inf")), "radius is inf"),
        (lambda: Scene(shapes=()), "empty"),
        (lambda: Scene(shapes=(Sphere(name="s", radius=1),) * 2), r"share a name.*'s'"),
        (lambda: Scene(shapes=(Sphere(name="s", radius=1),), eye_W=(0, 0, 1)), "straight up"),
    ],
)
def test_refuses_what_cannot_be_drawn(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_refuses_a_scene_too_large_to_store():
    cloud = np.random.default_rng(0).normal(size=(20_000, 3))
    with pytest.raises(ValueError, match="at most 200000: show fewer points"):
        show_scene(Scene(shapes=(Points(name="p", points_B=cloud),)), title="T", alt="Words.")


def test_refuses_a_scene_without_words():
    with pytest.raises(ValueError, match="alt of a 3D scene is empty"):
        show_scene(a_scene(), title="T", alt=" ")


def test_arrays_are_copies_and_read_only():
    points = CLOUD.copy()
    shape = Points(name="p", points_B=points)
    points[:] = 0
    np.testing.assert_array_equal(shape.points_B, CLOUD)
    with pytest.raises(ValueError, match="read-only"):
        shape.points_B[0] = 1
