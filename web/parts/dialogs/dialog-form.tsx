import type { ReactNode } from "react";

/**
 * The form of a dialog with a long text: Enter inserts a line break, so Ctrl+Enter submits the form from each of its
 * fields.
 */
export function DialogForm({ onSubmit, children }: { onSubmit(): Promise<unknown>; children: ReactNode }) {
  return (
    <form
      className="complete-form"
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
        event.preventDefault();
        void onSubmit();
      }}
    >
      {children}
    </form>
  );
}
