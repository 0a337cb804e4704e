import { useEffect } from "react";
import { t } from "../../languages/index.ts";
import { onLiveEvent } from "../../live/events.ts";

/** While the page is in the background, new notifications are shown by the browser, if the person has allowed that. */
export function useAwayNotices(): void {
  useEffect(
    () =>
      onLiveEvent("notification", ({ unread }) => {
        if (unread === 0 || document.visibilityState === "visible") return;
        if (!("Notification" in window) || Notification.permission !== "granted") return;
        // With the same tag, a newer notification replaces the previous one.
        new Notification(t("app.name"), { body: t("menu.notifications", { count: unread }), tag: "steward" });
      }),
    [],
  );
}
