// Runs in the frame before the script of a UI extension (D-398). It sends the values and the height of the form to the
// surrounding page. The frame has no origin, no cookies and no network, so these messages are all that leaves it.
(() => {
  const page = window.parent;
  const form = document.getElementById("extension");
  const listeners = [];
  const send = (message) => page.postMessage({ steward: "extension", ...message }, "*");

  const listInputs = () =>
    [...form.querySelectorAll("input, select, textarea")].filter(
      ({ name, type }) => name !== "" && !["file", "submit", "button", "reset", "image"].includes(type),
    );

  function readValues() {
    const values = {};
    for (const input of listInputs()) {
      if (input.type === "checkbox") values[input.name] = input.checked;
      else if (input.type === "radio") {
        if (input.checked) values[input.name] = input.value;
      } else if (input.type === "select-multiple")
        values[input.name] = [...input.selectedOptions].map(({ value }) => value);
      else if (input.value !== "") values[input.name] = input.value;
    }
    return values;
  }

  function fill(values) {
    for (const input of listInputs()) {
      const value = values[input.name];
      if (value === undefined) continue;
      if (input.type === "checkbox") input.checked = value === true;
      else if (input.type === "radio") input.checked = input.value === value;
      else if (input.type === "select-multiple")
        for (const option of input.options) option.selected = Array.isArray(value) && value.includes(option.value);
      else input.value = String(value);
    }
  }

  const report = () => send({ event: "values", values: readValues(), valid: form.checkValidity() });
  form.addEventListener("input", report);
  form.addEventListener("change", report);
  form.addEventListener("submit", (event) => event.preventDefault());

  addEventListener("message", ({ source, data }) => {
    if (source !== page || data?.steward !== "extension") return;
    if (data.event === "start") {
      fill(data.values);
      document.documentElement.lang = data.language;
      document.documentElement.dataset.theme = data.theme;
      for (const listener of listeners) listener({ language: data.language, theme: data.theme });
      report();
    }
    if (data.event === "check") {
      form.reportValidity();
      report();
    }
  });

  /** For the script of the extension: `onStart` is called when saved values are filled in, `changed` reports values that it set. */
  window.steward = { onStart: (listener) => void listeners.push(listener), changed: report };

  addEventListener("DOMContentLoaded", () => {
    new ResizeObserver(() => send({ event: "height", height: Math.ceil(form.getBoundingClientRect().height) })).observe(
      form,
    );
    send({ event: "ready" });
  });
})();
