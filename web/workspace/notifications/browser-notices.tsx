import { Button } from "@mantine/core";
import IconBell from "@tabler/icons-react/dist/esm/icons/IconBell.mjs";
import { useState } from "react";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";

/** Asks, only on demand, for permission to show browser notifications while the page is in the background. */
export function BrowserNotices() {
  const [permission, setPermission] = useState<NotificationPermission>(() =>
    "Notification" in window ? Notification.permission : "denied",
  );
  if (permission !== "default") return null;
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon of={IconBell} />}
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      {t("notifications.allow")}
    </Button>
  );
}
