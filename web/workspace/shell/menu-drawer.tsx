import { Drawer } from "@mantine/core";
import { t } from "../../languages/index.ts";
import { SideMenu } from "./side-menu.tsx";

/** The whole menu on a phone. */
export function MenuDrawer({ onClose, notifications }: { onClose(): void; notifications: number | null }) {
  return (
    <Drawer.Root opened onClose={onClose} position="left" size="85%">
      <Drawer.Overlay />
      <Drawer.Content aria-label={t("app.menu")}>
        <Drawer.Body className="menu-drawer">
          <SideMenu collapsed={false} notifications={notifications} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
