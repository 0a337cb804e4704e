import { ActionIcon, Button, TextInput } from "@mantine/core";
import IconArrowBackUp from "@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Corrections, FileColumn, FileRow, ImportColumn, ImportSummary, RowState } from "../../api/exchange.ts";
import { formatNumber } from "../../base/formats.ts";
import { findTypeByCollection } from "../../base/record-types.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel, fieldLabel, lowerFirst, typeLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { exchangeQueries } from "../../queries/settings/exchange.ts";
import { ReferenceProposal } from "./reference-proposal.tsx";
import { RowProposal } from "./row-proposal.tsx";

const maxColumns = 6;

type Editing = {
  corrections: Corrections;
  /** header null: the row is skipped */
  onCorrect(line: number, header: string | null, cell: string): void;
  onTakeBack(line: number): void;
  /** called on Enter in a cell */
  onDone(): void;
};
type Props = { entry: ImportSummary; state: RowState; fields?: readonly ImportColumn[] } & Partial<Editing>;

/** The rows of a file by outcome; wrong cells are corrected in place. */
export function FileRows({ entry, state, fields = [], ...editing }: Props) {
  const { api } = useCurrentAccount();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    exchangeQueries.rows(api, entry, state),
  );
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  const rows = data?.pages.flat();
  if (rows === undefined) return <LoadingSkeleton />;
  if (rows.length === 0)
    return (
      <div className="card">
        <EmptyState title={t(`exchange.none.${state}`)} />
      </div>
    );
  const shown = pickColumns(entry.columns, rows);
  return (
    <>
      <div className="card scroll-x">
        <table className="plain-table file-rows">
          <thead>
            <tr>
              <th>{t("exchange.row")}</th>
              {shown.map(({ header }) => (
                <th key={header}>{header}</th>
              ))}
              {state === "refused" && <th>{t("exchange.wrong")}</th>}
              {state === "kept" && <th>{t("exchange.keptWhy")}</th>}
              {editing.onCorrect !== undefined && state === "refused" && (
                <th>
                  <span className="spoken">{t("exchange.leaveOut")}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <FileRowLine key={row.line} {...{ row, rows, shown, state, entry, fields }} editing={editing} />
            ))}
          </tbody>
        </table>
      </div>
      {hasNextPage && (
        <Button variant="default" size="xs" mt="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("exchange.moreRows")}
        </Button>
      )}
    </>
  );
}

/** The first columns that are imported, and all columns with an error. */
function pickColumns(columns: readonly FileColumn[], rows: readonly FileRow[]): FileColumn[] {
  if (rows.every(({ cells }) => cells === null)) return [];
  const wrong = new Set(rows.flatMap(({ errors }) => errors.map(([field]) => field)));
  const known = columns.filter(({ field }) => field !== null);
  return known.filter((column, index) => index < maxColumns || wrong.has(column.field ?? ""));
}

type LineProps = {
  row: FileRow;
  /** all listed rows: some may have the same error */
  rows: readonly FileRow[];
  shown: readonly FileColumn[];
  entry: ImportSummary;
  state: RowState;
  fields: readonly ImportColumn[];
  editing: Partial<Editing>;
};

function FileRowLine({ row, rows, shown, entry, state, fields, editing }: LineProps) {
  const { columns } = entry;
  const { line, cells, errors } = row;
  const correction = editing.corrections?.[line];
  const isLeftOut = correction === null;
  const wrong = new Set(errors.map(([field]) => field));
  const sentence = errors.map((error) => describeError(error, fields)).join("; ");
  return (
    <tr data-left-out={isLeftOut || undefined}>
      <td className="numbers quiet">{formatNumber(line)}</td>
      {shown.map(({ header, field }) => {
        const cell = cells?.[columns.findIndex((column) => column.header === header)] ?? "";
        const isWrong = state === "refused" && field !== null && wrong.has(field);
        const former = field === null ? undefined : row.shown[field];
        return (
          <td key={header}>
            {isWrong && editing.onCorrect !== undefined && !isLeftOut ? (
              <TextInput
                size="xs"
                className="wrong-cell"
                data-corrected={correction?.[header] !== undefined || undefined}
                aria-label={t("exchange.cell", { column: header, row: line })}
                value={correction?.[header] ?? cell}
                onChange={(event) => editing.onCorrect?.(line, header, event.currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key === "Enter" && Object.keys(editing.corrections ?? {}).length > 0) editing.onDone?.();
                }}
              />
            ) : state === "changed" && former !== undefined && former !== cell ? (
              <span>
                <del className="quiet">{former === "" ? "—" : former}</del> <ins>{cell === "" ? "—" : cell}</ins>
              </span>
            ) : (
              <span className={isWrong ? "wrong-value" : "truncate"}>{cell === "" && isWrong ? "—" : cell}</span>
            )}
          </td>
        );
      })}
      {(state === "refused" || state === "kept") && (
        <td className="what-is-wrong">
          {isLeftOut ? <span className="quiet">{t("exchange.leftOut")}</span> : sentence}
          {!isLeftOut && state === "refused" && editing.onCorrect !== undefined && (
            <Proposals {...{ row, rows, entry, fields, editing }} />
          )}
        </td>
      )}
      {editing.onCorrect !== undefined && state === "refused" && (
        <td>
          <ActionIcon
            size={24}
            variant="subtle"
            color="gray"
            aria-label={t(isLeftOut ? "exchange.takeBack" : "exchange.leaveOutRow", { row: line })}
            onClick={() => (isLeftOut ? editing.onTakeBack?.(line) : editing.onCorrect?.(line, null, ""))}
          >
            <Icon of={isLeftOut ? IconArrowBackUp : IconX} />
          </ActionIcon>
        </td>
      )}
    </tr>
  );
}

/**
 * The record type that a column refers to, and the fields that identify its records; null: it refers to none, or to
 * several.
 */
function findNamed(fields: readonly ImportColumn[], name: string): { type: RecordType; by: readonly string[] } | null {
  const column = fields.find((field) => field.name === name);
  if (column?.refers_to === undefined || column.several === true) return null;
  const type = findTypeByCollection(column.refers_to);
  return type === undefined ? null : { type, by: column.by ?? [] };
}

function describeError([field, text, lookup]: FileRow["errors"][number], fields: readonly ImportColumn[]): string {
  const type = lookup === undefined ? undefined : findNamed(fields, field)?.type;
  if (type === undefined) return field === "base" ? text : `${fieldLabel(field)} ${text}`;
  if (lookup === "known") return t("exchange.existsNow", { type: typeLabel(type) });
  return lookup === "unknown"
    ? t("exchange.unknownName", { type: lowerFirst(typeLabel(type)) })
    : t("exchange.ambiguousName", { types: lowerFirst(collectionLabel(type)) });
}

type ProposalsProps = Pick<LineProps, "row" | "rows" | "entry" | "fields" | "editing">;

/** Proposals for each wrong cell of a row. */
function Proposals({ row, rows, entry, fields, editing }: ProposalsProps) {
  const declared = findTypeByCollection(entry.type)?.fields;
  const wrong = new Map(row.errors.map(([field, , lookup]) => [field, lookup]));
  return entry.columns.map(({ header, field }, index) => {
    const cell = row.cells?.[index] ?? "";
    if (field === null || !wrong.has(field) || cell === "") return null;
    const alike = rows.filter(
      ({ line, cells, errors }) =>
        cells?.[index] === cell &&
        errors.some(([name]) => name === field) &&
        editing.corrections?.[line] !== null &&
        editing.corrections?.[line]?.[header] === undefined,
    );
    const correct = (lines: readonly number[], wanted: string) => {
      for (const line of lines) editing.onCorrect?.(line, header, wanted);
    };
    const lookup = wrong.get(field);
    const target = lookup === undefined ? null : findNamed(fields, field);
    const lines = alike.map(({ line }) => line);
    if (target !== null && lines.includes(row.line))
      return (
        <Fragment key={header}>
          {" "}
          <ReferenceProposal
            {...target}
            cell={cell}
            lookup={lookup ?? "unknown"}
            onCorrect={(wanted) => correct(lines, wanted)}
          />
          {lines.length > 1 && <span className="quiet"> {t("exchange.inRows", { count: lines.length })}</span>}
        </Fragment>
      );
    return (
      <Fragment key={header}>
        {" "}
        <RowProposal
          field={declared?.[field]}
          cell={cell}
          corrected={editing.corrections?.[row.line]?.[header]}
          lines={lines}
          onCorrect={correct}
        />
      </Fragment>
    );
  });
}
