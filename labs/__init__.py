"""The labs, one module each: scene, model, picture, readout, exercises, and one `LAB`."""
