"""Where rays first meet a shape: float64 closed forms, in the frame S of the shape.

Every function takes N starts p_SO (N, 3) m and N unit directions d_S (N, 3). Solids are closed. A
ray that starts inside a box, sphere, capsule or cylinder meets it at once (PhysX reports the same);
one that starts below a plane never does. A mesh is a surface without an inside, and a ray may meet
it more than once.
"""

from course.world.intersections.flat import meet_box, meet_plane
from course.world.intersections.mesh import meet_mesh
from course.world.intersections.records import Array, Intersection, Touches
from course.world.intersections.round import meet_capsule, meet_cylinder, meet_sphere

__all__ = [
    "Array",
    "Intersection",
    "Touches",
    "meet_box",
    "meet_capsule",
    "meet_cylinder",
    "meet_mesh",
    "meet_plane",
    "meet_sphere",
]
