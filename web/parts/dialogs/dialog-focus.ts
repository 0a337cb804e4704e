// Mantine puts the focus into a dialog by a timer, some time after it is drawn, and takes it from the field that somebody
// went to meanwhile: what is typed then goes into another field. Tab stays inside by Mantine's means.

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
