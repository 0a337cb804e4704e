// Mantine's focus trap sets the focus by a timer after the dialog is drawn, also when the user has moved to another field
// by then: what is typed next goes into the wrong field. Mantine still keeps Tab inside the dialog.

/** As `ref` of a dialog: what is marked has the focus from the first moment, so no key is lost. */
export function focusMarked(dialog: HTMLElement | null): void {
  dialog?.querySelector<HTMLElement>("[data-autofocus]")?.focus({ preventScroll: true });
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
