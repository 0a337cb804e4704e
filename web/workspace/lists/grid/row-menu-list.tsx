import { Menu } from "@mantine/core";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { navigateTo } from "../../../base/history.ts";
import { paths } from "../../../base/paths.ts";
import { Kbd } from "../../../elements/kbd.tsx";
import { showError, showMessage } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";

export type Place = { row: Row; x: number; y: number };
type Props = { type: RecordType; place: Place; onClose(): void; onSelect(id: number): void };

/** The actions on one row. */
export function RowMenuList({ type, place: { row, x, y }, onClose, onSelect }: Props) {
  const { account } = useCurrentAccount();
  const path = paths.record(account.id, type, row.id);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(new URL(path, location.href).href);
      showMessage(t("list.linkCopied"));
    } catch (error) {
      showError(error);
    }
  };
  return (
    <Menu opened onClose={onClose} position="bottom-start" width={220} trapFocus returnFocus>
      <Menu.Target>
        <span className="row-menu-place" style={{ insetInlineStart: x, insetBlockStart: y }} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item rightSection={<Kbd keys="enter" />} onClick={() => navigateTo(path)}>
          {t("row.open")}
        </Menu.Item>
        <Menu.Item component="a" href={path} target="_blank" rel="noopener">
          {t("row.openTab")}
        </Menu.Item>
        <Menu.Item onClick={() => void copy()}>{t("list.copyLink")}</Menu.Item>
        <Menu.Item rightSection={<Kbd keys="x" />} onClick={() => onSelect(row.id)}>
          {t("row.select")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
