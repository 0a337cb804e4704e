import { type ReactNode, Suspense, useEffect, useState } from "react";
import { whenIdle } from "../base/when-idle.ts";
import { errorText, errorTitle } from "./error-text.ts";
import { lazyPart } from "./lazy-part.tsx";

const loadToasts = () => import("./toasts.tsx");
const ToastCorner = lazyPart(async () => (await loadToasts()).ToastCorner);
let mount: () => void = () => undefined;

/** The place of toasts: loaded after the page has rendered, or with the first toast. */
export function ToastLayer() {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    mount = () => setNeeded(true);
    whenIdle(mount);
  }, []);
  return <Suspense fallback={null}>{isNeeded && <ToastCorner />}</Suspense>;
}

type Toasts = Awaited<ReturnType<typeof loadToasts>>;

function withToasts(act: (toasts: Toasts) => void): void {
  mount();
  void loadToasts().then(act);
}

export const showMessage = (message: ReactNode): void => withToasts(({ showDone }) => showDone({ message }));

export const showError = (error: unknown): void =>
  withToasts(({ showFailure }) => showFailure(errorTitle(error), errorText(error)));

type Undoable = { id: string; undo(): unknown };

/** Changes that can still be undone, the latest last: `Z` undoes that. */
const undoable: Undoable[] = [];

function forget(id: string): void {
  const at = undoable.findIndex((each) => each.id === id);
  if (at >= 0) undoable.splice(at, 1);
}

function undoNow({ id, undo }: Undoable): void {
  forget(id);
  withToasts(({ hide }) => hide(id));
  Promise.resolve()
    .then(undo)
    .catch((error: unknown) => showError(error));
}

/** Reports a change and offers to undo it for ten seconds, by button and by `Z`. */
export function showUndo(message: ReactNode, undo: () => unknown): void {
  const entry: Undoable = { id: `undo-${crypto.randomUUID()}`, undo };
  undoable.push(entry);
  withToasts(({ showUndoToast }) =>
    showUndoToast(entry.id, message, { onUndo: () => undoNow(entry), onClose: () => forget(entry.id) }),
  );
}

/** `Z`: undoes the latest change that can still be undone. */
export function undoLatest(): boolean {
  const latest = undoable.at(-1);
  if (latest === undefined) return false;
  undoNow(latest);
  return true;
}
