/* Lets the keyboard reach what scrolls sideways: long lines of code, wide formulas and results. */
"use strict";

(() => {
  /** @param {Element} box */
  function update(box) {
    if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  }

  const watcher = new ResizeObserver((entries) => entries.forEach((entry) => update(entry.target)));
  document
    .querySelectorAll(".highlight pre, .cell_output, .katex-html, .table-wrapper")
    .forEach((box) => watcher.observe(box));
})();
