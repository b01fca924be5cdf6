"""The world: shapes and poses make scenes, and casters find where rays hit them.

`course.world.embree.EmbreeCaster` is not listed here: importing it loads a native library.
"""

from course.world.analytic import AnalyticCaster
from course.world.capabilities import Capabilities, InsideStart
from course.world.casters import Caster
from course.world.poses import IDENTITY, as_pose, pose, rotate_vectors
from course.world.rays import RayHits, Rays
from course.world.scene import NO_BODY, Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Shape, Sphere

__all__ = [
    "IDENTITY",
    "NO_BODY",
    "AnalyticCaster",
    "Body",
    "Box",
    "Capabilities",
    "Capsule",
    "Caster",
    "Cylinder",
    "InsideStart",
    "Plane",
    "RayHits",
    "Rays",
    "Scene",
    "Shape",
    "Sphere",
    "as_pose",
    "pose",
    "rotate_vectors",
]
