// Mantine's focus trap sets the focus by a timer after the dialog is rendered, even if the person has moved to another
// field by then: text typed next goes into the wrong field. Mantine still keeps Tab inside the dialog.

let early = "";

/** Keeps text that was typed while a dialog was loading, for the dialog that replaces its placeholder (D-755). */
export function storeEarlyText(text: string): void {
  early = text;
  setTimeout(() => {
    early = "";
  });
}

export function consumeEarlyText(): string {
  const text = early;
  early = "";
  return text;
}

const acceptsText = (target: Element | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !["checkbox", "radio", "button", "submit", "password"].includes(target.type));

/**
 * As `ref` of a dialog: focuses the marked element immediately and inserts the text typed before. If nothing can be
 * focused yet, the dialog itself gets the focus, so that no key reaches the page behind.
 */
export function focusMarked(dialog: HTMLElement | null): void {
  if (dialog === null) return;
  dialog.querySelector<HTMLElement>("[data-autofocus]")?.focus({ preventScroll: true });
  if (!dialog.contains(document.activeElement)) dialog.focus({ preventScroll: true });
  const text = consumeEarlyText();
  const target = document.activeElement;
  if (text === "" || !dialog.contains(target) || !acceptsText(target)) return;
  if (target instanceof HTMLTextAreaElement) target.setSelectionRange(target.value.length, target.value.length);
  // Inserted like typed text: React gets the event, and Ctrl+Z removes it.
  document.execCommand("insertText", false, text);
}

/** Moves the mark to the focused element, for the whole page: the timer then finds the focus where it would put it. */
export function keepFocusInDialogs(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const dialog = target.closest('[role="dialog"]');
    if (dialog === null || dialog === target) return;
    for (const marked of dialog.querySelectorAll("[data-autofocus]")) marked.removeAttribute("data-autofocus");
    target.setAttribute("data-autofocus", "");
  });
}
