import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { importColumn, importType } from "../../../records/answers/imports.ts";
import { fieldLabel, languages } from "../../../records/languages/index.ts";
import type { Engine } from "../../engine/engine.ts";
import { getKind } from "../../engine/kinds/index.ts";
import { buildColumns, type Column } from "../columns.ts";
import { type Exchange, findRowFile } from "../exchange-context.ts";
import { findImportType, findParents, listImportTypes } from "../exchange-types.ts";
import { listColumns } from "../row-files/row-file.ts";

// The import types, and the columns of their files.

export const listImportTypeNames = ({ engine, rowFiles }: Exchange): string[] =>
  [...listImportTypes(engine.types).map(({ name }) => name), ...rowFiles.map(({ name }) => name)].sort();

/** Null: there is no such type. */
export function describeImportType(exchange: Exchange, word: string): AnswerOf<typeof importType> | null {
  const { engine } = exchange;
  const rowFile = findRowFile(exchange, word);
  if (rowFile !== null)
    return {
      ...{ type: word, can_map: false },
      columns: listColumns(rowFile).map((column) => describeColumn(engine, column, false)),
    };
  const exchangeType = findImportType(engine.types, word);
  if (exchangeType === null) return null;
  const parents = new Set(findParents(engine.types, exchangeType).map(({ field }) => field));
  const columns = buildColumns(engine.types, exchangeType).filter(
    ({ name, field }) => name === "id" || parents.has(name) || (field.access !== "readonly" && !field.internal),
  );
  return {
    ...{ type: word, can_map: true },
    columns: columns.map((column) => describeColumn(engine, column, column.field.access === "required")),
  };
}

function describeColumn(
  engine: Engine,
  { name, header, field }: Column,
  required: boolean,
): AnswerOf<typeof importColumn> {
  const names = getKind(field).cell?.names?.(field) ?? null;
  const target = names === null ? null : engine.types.get((field as { to: string }).to);
  return {
    ...{ name, header, required },
    labels: Object.fromEntries(Object.keys(languages).map((code) => [code, fieldLabel(code, name)])),
    ...(target === null
      ? {}
      : {
          refers_to: target.collection,
          by: target.naturalKey.map(({ field: key }) => key),
          several: names === "several",
        }),
  };
}
