/* Turns each `.lab-player` into a lab that the reader moves: see course/display/player.py. */
"use strict";

(() => {
  /**
   * @typedef {{src: string, alt: string, readout: [name: string, text: string][]}} Frame
   * @typedef {{label: string, texts: string[], default: number, frames: number[]}} Parameter
   * `frames[i]` is the index of the frame that shows `texts[i]`, all other parameters at their default.
   */

  /** @param {HTMLElement} player */
  function startPlayer(player) {
    /** @type {{frames: Frame[], parameters: Parameter[]}} */
    const manifest = JSON.parse(player.querySelector(".lab-manifest").textContent);
    const picture = /** @type {HTMLImageElement} */ (player.querySelector(".lab-picture"));
    const cells = [...player.querySelectorAll(".lab-readout td")];
    const status = player.querySelector(".lab-status");
    const sliders = [...player.querySelectorAll("input")];
    const values = [...player.querySelectorAll(".lab-value")];
    let wanted = 0; // the frame that the sliders ask for; an older picture may still be on its way

    /** @param {number} parameter @param {number} choice */
    function setSlider(parameter, choice) {
      const text = manifest.parameters[parameter].texts[choice];
      sliders[parameter].value = String(choice);
      sliders[parameter].setAttribute("aria-valuetext", text);
      values[parameter].textContent = text;
    }

    /** @param {number} index */
    function load(index) {
      const image = new Image();
      image.src = manifest.frames[index].src;
      return image;
    }

    /** @param {number} index @param {string} setting in words */
    function show(index, setting) {
      wanted = index;
      const { src, alt, readout } = manifest.frames[index];
      const image = load(index);
      // Picture, words and numbers change together, so that none contradicts another.
      image.onload = () => {
        if (wanted !== index) return;
        picture.src = src;
        picture.alt = alt;
        readout.forEach(([, text], row) => (cells[row].textContent = text));
        status.textContent = `${setting}: ${readout.map(([name, text]) => `${name} ${text}`).join(", ")}`;
      };
      image.onerror = () => {
        if (wanted === index) status.textContent = `The picture for ${setting} could not be loaded.`;
      };
    }

    sliders.forEach((slider, moved) => {
      const parameter = manifest.parameters[moved];
      slider.addEventListener("input", () => {
        const choice = Number(slider.value);
        manifest.parameters.forEach((other, i) => setSlider(i, i === moved ? choice : other.default));
        show(parameter.frames[choice], `${parameter.label} ${parameter.texts[choice]}`);
        for (const next of [choice - 1, choice + 1]) {
          if (next in parameter.frames) load(parameter.frames[next]);
        }
      });
    });
    manifest.parameters.forEach((parameter, i) => setSlider(i, parameter.default));
    player.querySelector(".lab-controls").hidden = false;
  }

  document.querySelectorAll(".lab-player").forEach(startPlayer);
})();
