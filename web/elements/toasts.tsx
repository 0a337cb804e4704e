import { getDefaultZIndex } from "@mantine/core";
import {
  type NotificationData,
  notifications,
  Notifications as Toasts,
  useNotifications,
} from "@mantine/notifications";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconCircleX from "@tabler/icons-react/dist/esm/icons/IconCircleX.mjs";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { t } from "../languages/index.ts";
import { Icon } from "./icon.tsx";

// The appearance of toasts: loaded after the page, or with the first toast. toast.tsx shows them.

/** As wide as a panel beside a record, so that the composer with its Send button stays free. */
const width = 320;
const undoTime = 10_000; // milliseconds
/** A toast stays for seconds and would cover a menu that reaches into its corner. */
const belowMenus = getDefaultZIndex("popover") - 1;

/** Toasts at the bottom right. Panels in that corner end above them (`--toast-room`, D-735). */
export function ToastCorner() {
  const { notifications: shown } = useNotifications();
  const observer = useRef<ResizeObserver | null>(null);
  useEffect(() => {
    const corner = document.querySelector('.mantine-Notifications-root[data-position="bottom-right"]');
    if (shown.length === 0 || corner === null || observer.current !== null) return;
    const setRoom = () => document.documentElement.style.setProperty("--toast-room", `${corner.clientHeight}px`);
    observer.current = new ResizeObserver(setRoom);
    observer.current.observe(corner);
  }, [shown.length]);
  useEffect(() => () => observer.current?.disconnect(), []);
  return <Toasts position="bottom-right" containerWidth={width} zIndex={belowMenus} />;
}

const show = (toast: NotificationData): void =>
  void notifications.show({ closeButtonProps: { "aria-label": t("app.close") }, ...toast });

export const showDone = (toast: NotificationData): void =>
  show({ icon: <Icon of={IconCircleCheck} size={18} />, color: "green", ...toast });

export const showFailure = (title: string, message: string): void =>
  show({
    ...{ title, message, icon: <Icon of={IconCircleX} size={18} /> },
    ...{ color: "red", autoClose: 10_000, role: "alert" },
  });

export const hide = (id: string): void => void notifications.hide(id);

export const showUndoToast = (
  id: string,
  message: ReactNode,
  { onUndo, onClose }: { onUndo(): void; onClose(): void },
): void =>
  showDone({
    id,
    message: <UndoMessage message={message} onUndo={onUndo} until={Date.now() + undoTime} />,
    autoClose: undoTime,
    onClose,
  });

function UndoMessage({ message, onUndo, until }: { message: ReactNode; onUndo(): void; until: number }) {
  const [secondsLeft, setSecondsLeft] = useState(undoTime / 1000);
  useEffect(() => {
    const timer = setInterval(() => setSecondsLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000))), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <span className="undo">
      <span>{message}</span>
      <button type="button" className="undo-action" aria-keyshortcuts="z" onClick={onUndo}>
        {t("toast.undo")}
      </button>
      <span className="undo-left" aria-hidden="true">
        {t("time.seconds", { seconds: secondsLeft })}
      </span>
    </span>
  );
}
