// Mantine's focus trap sets the focus by a timer after the dialog is drawn, also when the user has moved to another field
// by then: what is typed next goes into the wrong field. Mantine still keeps Tab inside the dialog.

let early = "";

/** Keeps text that was typed while a dialog was on its way, for what takes its place in the same moment (D-755). */
export function keepEarlyText(text: string): void {
  early = text;
  setTimeout(() => {
    early = "";
  });
}

export function takeEarlyText(): string {
  const text = early;
  early = "";
  return text;
}

const takesText = (target: Element | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !["checkbox", "radio", "button", "submit", "password"].includes(target.type));

/**
 * As `ref` of a dialog: what is marked has the focus from the first moment, with the text that was typed before. Where nothing
 * can have the focus yet the dialog itself has it, so no key reaches the page behind.
 */
export function focusMarked(dialog: HTMLElement | null): void {
  if (dialog === null) return;
  dialog.querySelector<HTMLElement>("[data-autofocus]")?.focus({ preventScroll: true });
  if (!dialog.contains(document.activeElement)) dialog.focus({ preventScroll: true });
  const text = takeEarlyText();
  const target = document.activeElement;
  if (text === "" || !dialog.contains(target) || !takesText(target)) return;
  if (target instanceof HTMLTextAreaElement) target.setSelectionRange(target.value.length, target.value.length);
  // As a key would: React gets the event, and Ctrl+Z removes the text.
  document.execCommand("insertText", false, text);
}

/** The mark goes to what has the focus, for the whole page: the timer finds the focus where it wants to put it. */
export function keepFocusInDialogs(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const dialog = target.closest('[role="dialog"]');
    if (dialog === null || dialog === target) return;
    for (const marked of dialog.querySelectorAll("[data-autofocus]")) marked.removeAttribute("data-autofocus");
    target.setAttribute("data-autofocus", "");
  });
}
