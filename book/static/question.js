/* Turns quiz questions and predictions into forms: see course/teaching/question_views.py.
 *
 * The lists that they come from hold everything already; the forms show one answer at a time.
 */
"use strict";

(() => {
  /** Predictions of this page, for browsers that refuse to store them. @type {Map<string, number>} */
  const remembered = new Map();

  /** @param {string} name */
  const storageKey = (name) => `prediction ${location.pathname} ${name}`;

  /** @param {string} name @param {number} choice */
  function commit(name, choice) {
    remembered.set(name, choice);
    try {
      sessionStorage.setItem(storageKey(name), String(choice));
    } catch {
      // Storage is off: the prediction lasts as long as the page.
    }
  }

  /** @param {string} name @returns {number | undefined} */
  function committed(name) {
    try {
      const stored = sessionStorage.getItem(storageKey(name));
      if (stored !== null) return Number(stored);
    } catch {
      // As above.
    }
    return remembered.get(name);
  }

  /**
   * Replaces the list of `question` by radio buttons with one button under them.
   * @param {HTMLElement} question
   * @param {string} group name of the radio buttons, unique on the page
   * @param {string} action text of the button
   * @param {(choice: number, say: (...content: (Node | string)[]) => void) => void} answer
   */
  function makeForm(question, group, action, answer) {
    const form = document.createElement("form");
    const fieldset = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.append(...question.querySelector("p").childNodes);
    fieldset.append(legend);
    question.querySelectorAll("li").forEach((item, index) => {
      const label = document.createElement("label");
      const radio = Object.assign(document.createElement("input"), {
        type: "radio",
        name: group,
        value: String(index),
        autocomplete: "off",
      });
      label.append(radio, " ", ...item.querySelector("span").cloneNode(true).childNodes);
      fieldset.append(label);
    });
    const button = Object.assign(document.createElement("button"), { type: "submit", textContent: action });
    const output = document.createElement("p");
    output.className = "answer";
    output.setAttribute("role", "status");
    form.append(fieldset, button, output);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = form.querySelector("input:checked");
      if (chosen) answer(Number(chosen.value), (...content) => output.replaceChildren(...content));
      else output.textContent = "Choose an answer first.";
    });
    question.replaceChildren(form);
    return form;
  }

  /** @param {HTMLElement} quiz @param {number} index */
  function startQuiz(quiz, index) {
    const feedback = [...quiz.querySelectorAll("details > p")];
    makeForm(quiz, `quiz-${index}`, "Check", (choice, say) => {
      say(...[...feedback[choice].childNodes].map((node) => node.cloneNode(true)));
    });
  }

  /** @param {HTMLElement} prediction @param {number} index */
  function startPrediction(prediction, index) {
    const name = prediction.dataset.name;
    const texts = [...prediction.querySelectorAll("li > span")].map((span) => span.textContent);
    const form = makeForm(prediction, `prediction-${index}`, "Commit", (choice, say) => {
      commit(name, choice);
      settle(choice, say);
    });
    const output = form.querySelector(".answer");

    /** @param {number} choice @param {(text: string) => void} say */
    function settle(choice, say) {
      say(`Committed: ${texts[choice]}; read on, the next cell measures it.`);
      form.querySelector("button").hidden = true;
      form.querySelector("fieldset").disabled = true;
      document.querySelectorAll(".reconcile").forEach(markReconciliation);
    }

    const earlier = committed(name);
    if (earlier !== undefined && earlier in texts) {
      form.querySelectorAll("input")[earlier].checked = true;
      settle(earlier, (text) => (output.textContent = text));
    }
  }

  /** Marks the choice that was committed. @param {HTMLElement} list */
  function markReconciliation(list) {
    const choice = committed(list.dataset.name);
    const item = list.querySelector(`li[data-choice="${choice}"]`);
    if (!item || item.classList.contains("committed")) return;
    item.classList.add("committed");
    const mark = Object.assign(document.createElement("em"), { textContent: "Your prediction. " });
    item.prepend(mark);
  }

  document.querySelectorAll(".quiz").forEach(startQuiz);
  document.querySelectorAll(".predict").forEach(startPrediction);
  document.querySelectorAll(".reconcile").forEach(markReconciliation);
})();
