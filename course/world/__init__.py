"""The world: shapes and poses make scenes, and casters find where rays hit them.

`course.world.embree.EmbreeCaster` is not listed here: importing it loads a native library.
"""

from course.world.all_hits import AllHits
from course.world.analytic import AnalyticCaster
from course.world.capabilities import Capabilities, InsideStart
from course.world.casters import AllHitsCaster, Caster
from course.world.poses import IDENTITY, as_pose, pose, rotate_vectors
from course.world.rays import NO_FACE, RayHits, Rays
from course.world.scene import NO_BODY, Body, Scene
from course.world.shapes import Box, Capsule, Cylinder, Plane, Shape, Sphere
from course.world.triangle_mesh import TriangleMesh

__all__ = [
    "IDENTITY",
    "NO_BODY",
    "NO_FACE",
    "AllHits",
    "AllHitsCaster",
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
    "TriangleMesh",
    "as_pose",
    "pose",
    "rotate_vectors",
]
