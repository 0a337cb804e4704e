import { useEffect } from "react";
import { t } from "../../languages/index.ts";
import { onLiveEvent } from "../../live/events.ts";

/** Something new while the page is in the background: the browser tells it, where the person has allowed that. */
export function useAwayNotices(): void {
  useEffect(
    () =>
      onLiveEvent("notification", ({ unread }) => {
        if (unread === 0 || document.visibilityState === "visible") return;
        if (!("Notification" in window) || Notification.permission !== "granted") return;
        // The same tag: a newer one takes the place of the one before.
        new Notification(t("app.name"), { body: t("menu.notifications", { count: unread }), tag: "steward" });
      }),
    [],
  );
}
