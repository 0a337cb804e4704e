import { Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import { t } from "../languages/index.ts";

type Props = {
  label: string;
  /** if there is no room beside the page, the panel is a drawer that opens on demand */
  opened: boolean;
  onClose(): void;
  width?: number;
  children: ReactNode;
};

export const useRoomForPanel = (): boolean =>
  useMediaQuery("(min-width: 75em)", true, { getInitialValueInEffect: false });

/** Beside the page if there is room, else a drawer above it. */
export function SidePanel({ label, opened, onClose, width = 320, children }: Props) {
  const beside = useRoomForPanel();
  if (beside)
    return (
      <aside className="side-panel" aria-label={label} style={{ width }}>
        {children}
      </aside>
    );
  return (
    <Drawer.Root opened={opened} onClose={onClose} position="right" size={Math.max(width, 320)}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={label}>
        <Drawer.Header role="presentation">
          <Drawer.Title fw={650}>{label}</Drawer.Title>
          <Drawer.CloseButton aria-label={t("app.close")} />
        </Drawer.Header>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
