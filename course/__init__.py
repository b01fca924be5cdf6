"""The support package of the workbook: scenes and casters, sensors, teaching, display."""

__version__ = "0.1.0"
