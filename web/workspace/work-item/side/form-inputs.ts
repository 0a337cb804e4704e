// The inputs of a UI extension, read from its HTML. The parser creates an inert document: nothing in it runs or is
// loaded.

export type FormInput = {
  name: string;
  label: string;
  kind: "text" | "long" | "number" | "date" | "choice" | "yesNo";
  choices: readonly { value: string; label: string }[];
};

const kinds: Readonly<Record<string, FormInput["kind"]>> = { number: "number", date: "date", checkbox: "yesNo" };

function findLabel(input: Element, name: string): string {
  const { id } = input;
  const label =
    input.closest("label") ?? (id === "" ? null : input.ownerDocument.querySelector(`label[for="${CSS.escape(id)}"]`));
  const text = label?.textContent?.trim() ?? "";
  return text === "" ? nameToLabel(name) : text;
}

/** "first_day" is "First day". */
export function nameToLabel(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function readFormInputs(html: string): FormInput[] {
  const page = new DOMParser().parseFromString(html, "text/html");
  const inputs = new Map<string, FormInput>();
  for (const input of page.querySelectorAll("input, select, textarea")) {
    const name = input.getAttribute("name") ?? input.id;
    const type = input.getAttribute("type") ?? "text";
    if (name === "" || inputs.has(name) || ["hidden", "submit", "button", "file", "password"].includes(type)) continue;
    const tag = input.tagName.toLowerCase();
    const choices = [...input.querySelectorAll("option")]
      .map((option) => ({ value: option.value, label: option.textContent?.trim() ?? option.value }))
      .filter(({ value }) => value !== "");
    const kind = tag === "select" ? "choice" : tag === "textarea" ? "long" : (kinds[type] ?? "text");
    inputs.set(name, { name, label: findLabel(input, name), kind, choices });
  }
  return [...inputs.values()];
}
