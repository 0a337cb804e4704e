import { Menu } from "@mantine/core";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { linkTo } from "../../../base/history.ts";
import { paths } from "../../../base/paths.ts";
import { Icon } from "../../../elements/icon.tsx";
import { showError } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";
import { nameRecord } from "../../../languages/page-labels.ts";
import { lazyDialog } from "../../../parts/dialogs/lazy-dialog.tsx";
import { useDrag } from "../../../parts/drag/use-drag.ts";
import { Avatar } from "../../../parts/people/avatar.tsx";
import { ImpactIcon } from "../../../parts/work/impact.tsx";
import { SlaChip } from "../../../parts/work/sla-chip.tsx";
import { StatusIcon, statusLabel } from "../../../parts/work/status.tsx";
import { readReference } from "../../../queries/reference.ts";
import { isNegative } from "../../../queries/status-order.ts";
import { targetField } from "../grid/narrow-row.tsx";
import type { SaveRow } from "../use-row-save.ts";
import { listStatuses } from "./layouts.ts";
import "../../../styles/list-layouts.css";
import { RowBoundary } from "../../../parts/lists/row-boundary.tsx";
import { type Total, toCount } from "../../../queries/total.ts";

const StatusQuestion = lazyDialog(async () => (await import("./status-question.tsx")).default);

type Props = {
  type: RecordType;
  rows: readonly Row[];
  total: Total;
  height: number;
  onSave: SaveRow;
  hasMore: boolean;
  onMore(): void;
};

/** A column per status. Cards move by pointer, by Shift and arrow keys, and by their menu. */
export default function BoardLayout({ type, rows, total, height, onSave, hasMore, onMore }: Props) {
  const { may } = useCurrentAccount();
  const [question, setQuestion] = useState<{ row: Row; status: string } | null>(null);
  const statuses = useMemo(() => listStatuses(type), [type]);
  const mayMove = may("update", type) && type.fields.status?.access !== "readonly";
  const columns = useMemo(() => {
    const byStatus = new Map<string, Row[]>(statuses.map((status) => [status, []]));
    for (const row of rows) byStatus.get(String(row.status))?.push(row);
    return [...byStatus];
  }, [rows, statuses]);

  const save = (row: Row, status: string, further: Readonly<Record<string, unknown>> = {}) =>
    onSave(
      row,
      { ...further, status },
      { message: t("board.moved", { name: nameRecord(type, row), status: statusLabel(type.name, status) }) },
    );
  const move = (row: Row, status: string) => {
    if (!mayMove || status === row.status) return;
    // Some statuses need more information: a date, a result, or a reason.
    if (needsAnswer(type, status)) setQuestion({ row, status });
    else save(row, status).catch(showError);
  };
  /** a card moved by key: it is rendered as a new element in another column, and keeps the focus */
  const stepped = useRef<number | null>(null);
  const step = (row: Row, by: number) => {
    const next = statuses[statuses.indexOf(String(row.status)) + by];
    if (next === undefined) return;
    stepped.current = row.id;
    move(row, next);
  };
  const drag = useDrag({
    enabled: mayMove,
    onDrop(item, { zone }) {
      const row = rows.find(({ id }) => String(id) === item);
      if (row !== undefined) move(row, zone);
    },
  });
  useEffect(() => {
    const id = stepped.current;
    if (id === null || document.activeElement !== document.body) return;
    if (columns.some(([, cards]) => cards.some((card) => card.id === id))) document.getElementById(cardId(id))?.focus();
    stepped.current = null;
  }, [columns]);
  return (
    <div className="board-layout" style={{ height }}>
      {mayMove && <p className="spoken">{t("board.keys")}</p>}
      {columns.map(([status, cards]) => (
        <section
          key={status}
          className="board-column"
          aria-label={statusLabel(type.name, status)}
          data-empty={cards.length === 0 || undefined}
          {...drag.zone(status)}
        >
          <h2 className="board-head">
            <StatusIcon type={type.name} status={status} silent />
            <span className="truncate">{statusLabel(type.name, status)}</span>
            <span className="quiet numbers">{cards.length}</span>
          </h2>
          <ul className="board-cards">
            {cards.map((row) => (
              <RowBoundary key={row.id} row={row}>
                {() => (
                  <Card
                    type={type}
                    row={row}
                    statuses={statuses}
                    mayMove={mayMove}
                    source={drag.source(String(row.id))}
                    onMove={(wanted) => move(row, wanted)}
                    onStep={(by) => step(row, by)}
                  />
                )}
              </RowBoundary>
            ))}
          </ul>
          {cards.length === 0 && mayMove && <p className="board-empty quiet">{t("board.empty")}</p>}
        </section>
      ))}
      {hasMore && (
        <button type="button" className="text-button board-more" onClick={onMore}>
          {t("board.more", { count: rows.length, total: toCount(total) })}
        </button>
      )}
      {question !== null && (
        <StatusQuestion
          type={type}
          row={question.row}
          status={question.status}
          onAnswer={(further) => save(question.row, question.status, further)}
          onClose={() => setQuestion(null)}
        />
      )}
    </div>
  );
}

const cardId = (id: number): string => `card-${id}`;

const needsAnswer = (type: RecordType, status: string): boolean =>
  (status === "waiting_for" && "waiting_until" in type.fields) ||
  (type.name === "request" && status === "completed") ||
  isNegative(status);

type CardProps = {
  type: RecordType;
  row: Row;
  statuses: readonly string[];
  mayMove: boolean;
  source: ReturnType<ReturnType<typeof useDrag>["source"]>;
  onMove(status: string): void;
  onStep(by: number): void;
};

function Card({ type, row, statuses, mayMove, source, onMove, onStep }: CardProps) {
  const { account } = useCurrentAccount();
  const { component: _, ...link } = linkTo(paths.record(account.id, type, row.id));
  const target = targetField(type);
  const name = nameRecord(type, row);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined || !event.shiftKey || !mayMove) return;
    event.preventDefault();
    onStep(by);
  };
  return (
    <li className="board-card" {...source}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a link, whose address is among the properties */}
      <a {...link} id={cardId(row.id)} className="board-title" draggable={false} onKeyDown={onKeyDown}>
        {name}
      </a>
      <span className="board-facts">
        {type.display !== "id" && <span className="numbers quiet">{row.id}</span>}
        {typeof row.impact === "string" && <ImpactIcon impact={row.impact} />}
        {target !== undefined && typeof row[target] === "string" && (
          <SlaChip target={row[target]} status={String(row.status ?? "")} />
        )}
        <span className="board-end">
          {"member" in type.fields && <Avatar person={readReference(row.member)} size={20} />}
          {mayMove && (
            <Menu position="bottom-end" width={220}>
              <Menu.Target>
                <button type="button" className="tool board-menu" aria-label={t("board.card", { name })}>
                  <Icon of={IconDots} />
                </button>
              </Menu.Target>
              <Menu.Dropdown className="list-menu">
                <Menu.Label>{t("board.move")}</Menu.Label>
                <div className="list-menu-scroll">
                  {statuses
                    .filter((status) => status !== row.status)
                    .map((status) => (
                      <Menu.Item
                        key={status}
                        leftSection={<StatusIcon type={type.name} status={status} silent />}
                        onClick={() => onMove(status)}
                      >
                        {statusLabel(type.name, status)}
                      </Menu.Item>
                    ))}
                </div>
              </Menu.Dropdown>
            </Menu>
          )}
        </span>
      </span>
    </li>
  );
}
