import { Menu } from "@mantine/core";
import { type RefObject, useEffect, useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useActions } from "../../../actions/registry.ts";
import type { Row } from "../../../api.ts";
import { useCurrentAccount } from "../../../current-account.ts";
import { navigateTo } from "../../../history.ts";
import { t } from "../../../languages/index.ts";
import { Kbd } from "../../../parts/kbd.tsx";
import { showError, showMessage } from "../../../parts/toast.tsx";
import { paths } from "../../../paths.ts";
import type { Selection } from "../bulk/selection.ts";
import { rowElementId } from "../element-ids.ts";

type Props = {
  type: RecordType;
  rows: readonly Row[];
  /** around the rows; their buttons are marked with the id of the record */
  frame: RefObject<HTMLElement | null>;
  /** the row that a key opens it for */
  activeRow: number;
  selection: Selection;
};
type Place = { row: Row; x: number; y: number };

/** One menu for all rows, opened by the button of a row, by a right click, or by a key. */
export function RowMenu({ type, rows, frame, activeRow, selection }: Props) {
  const { account } = useCurrentAccount();
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const find = (id: string | undefined) => rows.find((row) => String(row.id) === id);
    const onClick = (event: MouseEvent) => {
      const button = (event.target as Element).closest<HTMLElement>("[data-row-menu]");
      const row = find(button?.dataset.rowMenu);
      if (button === null || row === undefined) return;
      const { left, bottom } = button.getBoundingClientRect();
      setPlace({ row, x: left, y: bottom });
    };
    const onContextMenu = (event: MouseEvent) => {
      const line = (event.target as Element).closest("[role=row]");
      const row = find(line?.querySelector<HTMLElement>("[data-row-menu]")?.dataset.rowMenu);
      if (row === undefined || (event.target as Element).closest("input, textarea")) return;
      event.preventDefault();
      setPlace({ row, x: event.clientX, y: event.clientY });
    };
    element.addEventListener("click", onClick);
    element.addEventListener("contextmenu", onContextMenu);
    return () => {
      element.removeEventListener("click", onClick);
      element.removeEventListener("contextmenu", onContextMenu);
    };
  }, [rows, frame]);
  const current = rows[activeRow];
  useActions([
    {
      id: "list.rowMenu",
      name: t("row.keyMenu"),
      group: "list",
      keys: ".",
      keysOnly: true,
      when: current !== undefined,
      run() {
        const line = document.getElementById(rowElementId(activeRow));
        if (line === null || current === undefined) return;
        const { left, bottom } = line.getBoundingClientRect();
        setPlace({ row: current, x: left + 48, y: bottom });
      },
    },
  ]);
  if (place === null) return null;
  const path = paths.record(account.id, type, place.row.id);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(new URL(path, location.href).href);
      showMessage(t("list.linkCopied"));
    } catch (error) {
      showError(error);
    }
  };
  return (
    <Menu opened onClose={() => setPlace(null)} position="bottom-start" width={220} trapFocus returnFocus>
      <Menu.Target>
        <span className="row-menu-place" style={{ insetInlineStart: place.x, insetBlockStart: place.y }} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item rightSection={<Kbd keys="enter" />} onClick={() => navigateTo(path)}>
          {t("row.open")}
        </Menu.Item>
        <Menu.Item component="a" href={path} target="_blank" rel="noopener">
          {t("row.openTab")}
        </Menu.Item>
        <Menu.Item onClick={() => void copy()}>{t("list.copyLink")}</Menu.Item>
        <Menu.Item rightSection={<Kbd keys="x" />} onClick={() => selection.toggle(place.row.id)}>
          {t("row.select")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
