import type { NotificationData } from "@mantine/notifications";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconCircleX from "@tabler/icons-react/dist/esm/icons/IconCircleX.mjs";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { t } from "../languages/index.ts";
import { errorText, errorTitle } from "./error-text.ts";
import { Icon } from "./icon.tsx";
import { lazyPart } from "./loading/lazy-part.tsx";
import { whenIdle } from "./loading/when-idle.ts";

const undoTime = 10_000; // milliseconds

const buildCloseButton = () => ({ "aria-label": t("app.close") });
const success = <Icon of={IconCircleCheck} size={18} />;

const loadToasts = () => import("./toasts.tsx");
const Toasts = lazyPart(async () => (await loadToasts()).Notifications);
let mount: () => void = () => undefined;

/** Where toasts appear: loaded when the page stands, or with the first one. */
export function ToastLayer() {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    mount = () => setWanted(true);
    whenIdle(mount);
  }, []);
  return <Suspense fallback={null}>{wanted && <Toasts position="bottom-right" />}</Suspense>;
}

function show(toast: NotificationData): void {
  mount();
  void loadToasts().then(({ notifications }) => notifications.show(toast));
}
const hide = (id: string): void => void loadToasts().then(({ notifications }) => notifications.hide(id));

export const showMessage = (message: ReactNode): void =>
  show({ message, icon: success, color: "green", closeButtonProps: buildCloseButton() });

export const showError = (error: unknown): void =>
  show({
    title: errorTitle(error),
    message: errorText(error),
    icon: <Icon of={IconCircleX} size={18} />,
    color: "red",
    autoClose: 10_000,
    role: "alert",
    closeButtonProps: buildCloseButton(),
  });

type Undoable = { id: string; undo(): unknown };

/** What can still be undone, the latest last: `Z` undoes that. */
const undoable: Undoable[] = [];

function forget(id: string): void {
  const at = undoable.findIndex((each) => each.id === id);
  if (at >= 0) undoable.splice(at, 1);
}

function undoNow({ id, undo }: Undoable): void {
  forget(id);
  hide(id);
  Promise.resolve()
    .then(undo)
    .catch((error: unknown) => showError(error));
}

function UndoMessage({ message, entry, until }: { message: ReactNode; entry: Undoable; until: number }) {
  const [left, setLeft] = useState(undoTime / 1000);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000))), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <span className="undo">
      <span>{message}</span>
      <button type="button" className="undo-action" aria-keyshortcuts="z" onClick={() => undoNow(entry)}>
        {t("toast.undo")}
      </button>
      <span className="undo-left" aria-hidden="true">
        {t("time.seconds", { seconds: left })}
      </span>
    </span>
  );
}

/** Says what was done and offers to undo it, for ten seconds by button and by `Z`. */
export function showUndo(message: ReactNode, undo: () => unknown): void {
  const entry: Undoable = { id: `undo-${crypto.randomUUID()}`, undo };
  undoable.push(entry);
  show({
    id: entry.id,
    message: <UndoMessage message={message} entry={entry} until={Date.now() + undoTime} />,
    icon: success,
    color: "green",
    autoClose: undoTime,
    onClose: () => forget(entry.id),
    closeButtonProps: buildCloseButton(),
  });
}

/** `Z`: undoes the latest change that still can be. */
export function undoLatest(): boolean {
  const latest = undoable.at(-1);
  if (latest === undefined) return false;
  undoNow(latest);
  return true;
}
