"""Poses: rigid transforms, and the one border through which they enter.

`X_WC` is the pose of frame C in frame W. It takes the coordinates of a point from C to W, and inner
letters cancel: `p_WS = X_WC.apply(p_CS)`, `X_WB = X_WA * X_AB`. A pose is a SciPy `RigidTransform`.

SciPy accepts what is no pose: it normalises a rotation that was scaled by 2 without a word, and
takes nan as a translation. And its `==` is identity: two equal transforms are unequal. So poses
enter through `as_pose`.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.transform import RigidTransform, Rotation

from course.world.checks import Floats, finite, floats, shaped, vectors

ORTHONORMAL_TOLERANCE = 1e-6
"""Largest departure of R^T R from the identity: a matrix of seven digits passes, a scale fails."""


def as_pose(X: RigidTransform | ArrayLike, *, name: str = "X") -> RigidTransform:
    """A checked pose.

    Args:
        X: one `RigidTransform`, or a (4, 4) matrix [[R, p], [0, 1]] with the translation p in m.
        name: the argument's name in error messages, such as "X_WC".

    Raises:
        TypeError: neither a transform nor real numbers; or a rotation alone.
        ValueError: several transforms, another shape, nan or infinity, a wrong last row, a scale,
            or a reflection.
    """
    if isinstance(X, RigidTransform):
        if not X.single:
            raise ValueError(f"{name}: expected one pose, got a stack of {len(X)}")
        finite(X.as_matrix(), name=name)
        return X
    if isinstance(X, Rotation):
        raise TypeError(f"{name}: expected a pose, got a rotation; make it pose(rotation=...)")
    matrix = finite(shaped(floats(X, name=name), (4, 4), name=name), name=name)
    if not np.array_equal(matrix[3], [0, 0, 0, 1]):
        raise ValueError(
            f"{name}: expected the last row [0, 0, 0, 1], got {matrix[3].tolist()}; "
            "is the matrix transposed?"
        )
    return RigidTransform.from_components(matrix[:3, 3], _rotation(matrix[:3, :3], name=name))


def pose(
    *, translation: ArrayLike = (0.0, 0.0, 0.0), rotation: Rotation | ArrayLike | None = None
) -> RigidTransform:
    """A pose from its two parts.

    Args:
        translation: (3,) m.
        rotation: one `Rotation`, or a (3, 3) orthonormal matrix; by default no rotation.

    Raises:
        TypeError, ValueError: as `as_pose`.
    """
    p = floats(translation, name="translation")
    finite(shaped(p, (3,), name="translation"), name="translation")
    if rotation is None:
        rotation = Rotation.identity()
    elif not isinstance(rotation, Rotation):
        R = shaped(floats(rotation, name="rotation"), (3, 3), name="rotation")
        rotation = _rotation(finite(R, name="rotation"), name="rotation")
    elif not rotation.single:
        raise ValueError(f"rotation: expected one rotation, got a stack of {len(rotation)}")
    return RigidTransform.from_components(p, rotation)


def rotate_vectors(X_WC: RigidTransform, v_C: ArrayLike) -> Floats:
    """Components in W of vectors given in C, such as rays and normals: they turn, and do not move.

    For points there is `X_WC.apply`. For vectors there would be `X_WC.rotation.apply`, but that
    refuses arrays that are read-only, as those of results are.

    Args:
        X_WC: takes coordinates from C to W.
        v_C: (..., 3); nan stays nan.

    Returns:
        v_W (..., 3), in the precision of `v_C`.

    Raises:
        TypeError, ValueError: not real numbers, or not three in the last axis.
    """
    v = vectors(floats(v_C, name="v_C"), name="v_C")
    R_WC: Floats = X_WC.rotation.as_matrix().astype(v.dtype)
    # Rows are vectors: R v is written v R^T. The rows of an image are multiplied one by one, and
    # that is meant: for a long product BLAS wakes its threads, which on a busy machine takes longer.
    return v @ R_WC.T


def _rotation(R: np.ndarray, *, name: str) -> Rotation:
    departure = np.abs(R.T @ R - np.eye(3)).max()
    if departure > ORTHONORMAL_TOLERANCE:
        raise ValueError(
            f"{name}: the rotation is not orthonormal: R^T R departs from the identity by "
            f"{departure:.3g}, expected at most {ORTHONORMAL_TOLERANCE:g}; a pose has no scale"
        )
    if np.linalg.det(R) < 0:
        raise ValueError(
            f"{name}: the rotation has determinant -1: it is a reflection; is one axis flipped?"
        )
    return Rotation.from_matrix(R)


IDENTITY = pose()
"""The pose of a frame in itself."""
