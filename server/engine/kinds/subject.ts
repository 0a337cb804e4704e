import type { Field } from "../../../records/vocabulary/index.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { buildNodeId } from "../read/node-id.ts";
import { andOfAccount, tableOfAccount } from "../sql/placement.ts";
import { type FieldKind, Refusal, type Value } from "./kind.ts";

export type SubjectField = Extract<Field, { kind: "subject" }>;
export const isSubject = (field: Field): field is SubjectField => field.kind === "subject";

/** The record that two other fields name by type and id. The member has the name of the type. */
export const subject: FieldKind<SubjectField> = {
  column: null,
  read() {
    throw new Refusal("is not editable");
  },
  parse: (text) => JSON.parse(text) as Value,
  write: (text) => text,
  namesMember: true,
  serialize({ type, field, account, types, domain }) {
    const [typeColumn, idColumn] = [field.type, field.id].map(
      (name) => `a.${quoteIdentifier(type.columns.get(name) ?? name)}`,
    ) as [string, string];
    const named = types.all.filter(
      (target) => !target.routes.singleton && !target.storage.journal && target.display !== "id",
    );
    const names = named.map(
      (target) =>
        `WHEN '${target.name}' THEN (SELECT t.${quoteIdentifier(target.columns.get(target.display) ?? target.display)} FROM ${tableOfAccount(target, account)} t WHERE t.id = ${idColumn}${andOfAccount(target, "t", account)})`,
    );
    return {
      columns: [typeColumn, idColumn, `CASE ${typeColumn} ${names.join(" ")} END`],
      write: (row, at) => {
        const [name, id, display] = [row[at] as string, row[at + 1] as string, row[at + 2]];
        const target = types.has(name) ? types.get(name) : null;
        if (field.as === "entry")
          return `,"${name}":{"id":${id},"href":"/${target?.collection ?? name}/${id}","display_name":${JSON.stringify(`${id} ${display ?? ""}`.trim())}}`;
        const members =
          display === null || display === undefined || target === null
            ? ""
            : `,"${target.display}":${JSON.stringify(display)}${target.display === "name" ? "" : `,"name":${JSON.stringify(display)}`}`;
        return `,"${name}":{"id":${id}${members},"nodeID":"${buildNodeId(domain, target?.nodeType ?? name, id)}"}`;
      },
    };
  },
  filter: null,
  graph: ({ type, id }) => ({ is: "subject", type, id }),
  sqlType: "jsonb",
  schema: () => ({ type: "array", items: { type: "object" } }),
  cell: null,
};
