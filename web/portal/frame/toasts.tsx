import { useSyncExternalStore } from "react";
import { ApiError } from "../../api/index.ts";
import { t } from "../words.ts";

type Toast = { id: number; text: string; isError: boolean };

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();
const change = (next: readonly Toast[]): void => {
  toasts = next;
  for (const listener of listeners) listener();
};
const remove = (id: number): void => change(toasts.filter((toast) => toast.id !== id));

function show(text: string, isError: boolean): void {
  last += 1;
  const id = last;
  change([...toasts.slice(-2), { id, text, isError }]);
  setTimeout(() => remove(id), isError ? 10_000 : 6000);
}

export const showMessage = (text: string): void => show(text, false);

/** An error message for a requester. */
export function describeError(error: unknown): string {
  if (!(error instanceof ApiError)) return t("error.lead");
  if (error.status === 0) return t("error.offline");
  if (error.status === 403) return t("error.forbidden");
  if (error.status === 404) return t("error.notFound");
  if (error.status === 429) return t("error.tooMany");
  if (error.status >= 500) return t("error.lead");
  const problemTexts = error.problems.map(([, text]) => text).join(". ");
  return problemTexts !== "" ? problemTexts : error.message || t("error.lead");
}
export const showError = (error: unknown): void => show(describeError(error), true);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, isError }) => (
        <div key={id} className="toast" data-error={isError || undefined}>
          <span>{text}</span>
          <button type="button" className="plain" aria-label={t("close")} onClick={() => remove(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
