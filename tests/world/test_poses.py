import re

import numpy as np
import pytest
from scipy.spatial.transform import RigidTransform, Rotation

from course.world.poses import IDENTITY, as_pose, pose, rotate_vectors

QUARTER = Rotation.from_euler("z", 90, degrees=True)  # x goes to y


def test_a_matrix_and_its_transform_are_one_pose():
    X_WB = pose(translation=(1, 2, 3), rotation=QUARTER)
    np.testing.assert_allclose(as_pose(X_WB.as_matrix()).as_matrix(), X_WB.as_matrix(), atol=1e-15)
    assert as_pose(X_WB) is X_WB


def test_a_pose_takes_points_from_its_frame_to_the_world():
    X_WB = pose(translation=(1, 2, 3), rotation=QUARTER)
    np.testing.assert_allclose(X_WB.apply([1, 0, 0]), [1, 3, 3], atol=1e-15)


def test_a_rotation_may_be_given_as_a_matrix():
    X_WB = pose(rotation=[[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    np.testing.assert_allclose(X_WB.rotation.as_matrix(), QUARTER.as_matrix(), atol=1e-15)


def test_the_identity_moves_nothing():
    np.testing.assert_array_equal(IDENTITY.as_matrix(), np.eye(4))


def matrix(**changes):
    X = np.eye(4)
    if "R" in changes:
        X[:3, :3] = changes["R"]
    if "p" in changes:
        X[:3, 3] = changes["p"]
    return X


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (
            matrix(R=2 * np.eye(3)),
            "X_WC: the rotation is not orthonormal: R^T R departs from the identity by 3, "
            "expected at most 1e-06; a pose has no scale",
        ),
        (
            matrix(R=np.diag([1, 1, -1])),
            "X_WC: the rotation has determinant -1: it is a reflection; is one axis flipped?",
        ),
        (matrix(p=[0, np.nan, 0]), "X_WC: expected finite numbers, got nan at index (1, 3)"),
        (matrix(p=[np.inf, 0, 0]), "X_WC: expected finite numbers, got inf at index (0, 3)"),
        (
            matrix(p=[1, 2, 3]).T,
            "X_WC: expected the last row [0, 0, 0, 1], got [1.0, 2.0, 3.0, 1.0]; "
            "is the matrix transposed?",
        ),
        (np.eye(3), "X_WC: expected shape (4, 4), got (3, 3)"),
        (np.stack([np.eye(4)] * 2), "X_WC: expected shape (4, 4), got (2, 4, 4)"),
        (
            RigidTransform.from_matrix(np.stack([np.eye(4)] * 2)),
            "X_WC: expected one pose, got a stack of 2",
        ),
        (
            RigidTransform.from_translation([np.nan, 0, 0]),
            "X_WC: expected finite numbers, got nan at index (0, 3)",
        ),
    ],
)
def test_what_is_no_pose_is_refused_and_said(X, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        as_pose(X, name="X_WC")


def test_scipy_would_take_a_scaled_rotation():
    """The reason for the border: if SciPy learns to refuse it, the border may go."""
    silently_normalised = RigidTransform.from_matrix(matrix(R=2 * np.eye(3)))
    np.testing.assert_allclose(silently_normalised.as_matrix(), np.eye(4))


def test_a_matrix_of_seven_digits_is_a_pose():
    R = Rotation.from_rotvec([0.3, -0.2, 0.9]).as_matrix()
    X = as_pose(matrix(R=R.round(7)))
    np.testing.assert_allclose(X.rotation.as_matrix(), R, atol=1e-6)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"translation": (1, 2)}, "translation: expected shape (3,), got (2,)"),
        ({"translation": (1, np.nan, 2)}, "translation: expected finite numbers, got nan"),
        ({"rotation": np.eye(4)}, "rotation: expected shape (3, 3), got (4, 4)"),
        ({"rotation": -np.eye(3)}, "rotation: the rotation has determinant -1"),
        ({"rotation": Rotation.identity(2)}, "rotation: expected one rotation, got a stack of 2"),
    ],
)
def test_parts_that_make_no_pose_are_refused(parts, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        pose(**parts)


def test_neither_a_text_nor_nothing_is_a_pose():
    for value, got in (("identity", "<U8"), (None, "NoneType")):
        with pytest.raises(TypeError, match=f"^X: expected real numbers, got {got}$"):
            as_pose(value)


def test_a_rotation_alone_is_not_a_pose():
    message = "X_WC: expected a pose, got a rotation; make it pose(rotation=...)"
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        as_pose(QUARTER, name="X_WC")


def read_only(array):
    array.flags.writeable = False
    return array


def test_vectors_of_any_shape_turn_as_scipy_says():
    X_WC = pose(translation=(1, -2, 3), rotation=Rotation.from_rotvec([0.3, -0.2, 0.9]))
    v_C = read_only(np.random.default_rng(0).normal(size=(4, 5, 3)))
    turned = X_WC.rotation.apply(v_C.reshape(-1, 3).copy())
    np.testing.assert_allclose(rotate_vectors(X_WC, v_C).reshape(-1, 3), turned, atol=1e-14)


def test_turning_keeps_shape_precision_and_gaps():
    X_WC = pose(rotation=QUARTER)
    assert rotate_vectors(X_WC, np.zeros((2, 0, 3))).shape == (2, 0, 3)
    assert rotate_vectors(X_WC, np.zeros((2, 3), np.float32)).dtype == np.float32
    turned = rotate_vectors(X_WC, [(1, 0, 0), (np.nan,) * 3])
    np.testing.assert_allclose(turned, [(0, 1, 0), (np.nan,) * 3], atol=1e-15)
    with pytest.raises(ValueError, match=re.escape("v_C: expected shape (..., 3), got (2,)")):
        rotate_vectors(X_WC, (1, 2))


def test_scipy_would_refuse_read_only_vectors():
    """The reason for `rotate_vectors`: if SciPy learns to take them, it may go."""
    with pytest.raises(ValueError, match="read-only"):
        IDENTITY.rotation.apply(read_only(np.zeros((2, 3))))
