/* Opens a 3D scene in the viewer that all pages share: see course/display/scene3d.py. */
"use strict";

(() => {
  const viewer = new URL("meshcat/viewer.html", /** @type {HTMLScriptElement} */ (document.currentScript).src);

  /** @param {HTMLElement} scene */
  function startScene(scene) {
    const button = scene.querySelector("button");
    button.hidden = false;
    button.addEventListener("click", () => {
      const frame = document.createElement("iframe");
      frame.title = `3D scene: ${scene.dataset.title}`;
      frame.src = viewer.href;
      // The origin of a page that was opened from a file has no name, and the scene is no secret: "*".
      frame.addEventListener("load", () => {
        frame.contentWindow.postMessage({ scene: scene.dataset.scene }, "*");
      });
      button.replaceWith(frame);
      frame.focus();
    });
  }

  document.querySelectorAll(".scene3d").forEach(startScene);
})();
