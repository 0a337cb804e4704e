import { type RefObject, Suspense, useEffect, useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useActions } from "../../../actions/registry.ts";
import type { Row } from "../../../api/index.ts";
import { lazyPart } from "../../../elements/lazy-part.tsx";
import { t } from "../../../languages/index.ts";
import { LoadingDialog } from "../../../parts/dialogs/dialog-loading.tsx";
import type { Selection } from "../bulk/selection.ts";
import { rowElementId } from "../element-ids.ts";
import type { Place } from "./row-menu-list.tsx";

const RowMenuList = lazyPart(async () => (await import("./row-menu-list.tsx")).RowMenuList);

type Props = {
  type: RecordType;
  rows: readonly Row[];
  /** the element around the rows; their buttons are marked with the id of the record */
  frame: RefObject<HTMLElement | null>;
  /** the row for which a key opens it */
  activeRow: number;
  selection: Selection;
};

const getElement = ({ target }: Event): Element | null => (target instanceof Element ? target : null);

/** One menu for all rows, opened by a row's button, by a right click, or by a key. */
export function RowMenu({ type, rows, frame, activeRow, selection }: Props) {
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const find = (id: string | undefined) => rows.find((row) => String(row.id) === id);
    const onClick = (event: MouseEvent) => {
      const button = getElement(event)?.closest<HTMLElement>("[data-row-menu]");
      const row = find(button?.dataset.rowMenu);
      if (button == null || row === undefined) return;
      const { left, bottom } = button.getBoundingClientRect();
      setPlace({ row, x: left, y: bottom });
    };
    const onContextMenu = (event: MouseEvent) => {
      const line = getElement(event)?.closest("[role=row]");
      const row = find(line?.querySelector<HTMLElement>("[data-row-menu]")?.dataset.rowMenu);
      if (row === undefined || getElement(event)?.closest("input, textarea")) return;
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
  // The menu returns the focus to a place where it can't stay, so the list takes it for the next keys.
  const close = () => {
    setPlace(null);
    setTimeout(() => frame.current?.querySelector<HTMLElement>("[role=grid]")?.focus({ preventScroll: true }));
  };
  return (
    <Suspense fallback={<LoadingDialog onClose={close} />}>
      <RowMenuList type={type} place={place} onClose={close} onSelect={selection.toggle} />
    </Suspense>
  );
}
