import type { Type } from "../../engine/types.ts";
import { done, found, saved } from "./answers.ts";
import type { Context } from "./components.ts";
import { fieldsParameter } from "./list-parameters.ts";
import { capital, inSentence, one, pascal, schemaName } from "./names.ts";
import type { Operations } from "./operation.ts";
import { childOperations, linkOperations, readOnlyListOperations } from "./sub-operations.ts";
import { changing, creating, listing, viewsOf } from "./verbs.ts";

// What is said about the routes of a record type; record-routes.ts makes them.

export function recordOperations(context: Context, type: Type): Operations {
  const collection = `/${type.collection}`;
  const path = `${collection}/:id`;
  const [it, name] = [one(type.name), schemaName(type)];
  const operations: Operations = viewsOf(type).map(({ view, suffix, words }) => [
    `GET ${collection}${suffix}`,
    () =>
      listing(context, type, {
        operationId: `list${pascal(type.collection)}${pascal(view)}`,
        summary: `List ${inSentence(type.collection)}${words}`,
      }),
  ]);
  operations.push([
    `GET ${path}`,
    () => ({
      operationId: `get${name}`,
      summary: `Read ${it}`,
      parameters: [fieldsParameter(context, type)],
      responses: { 200: found(context, type) },
    }),
  ]);
  operations.push([
    `POST ${collection}`,
    () => creating(context, type, type.createStatus, { operationId: `create${name}`, summary: `Create ${it}` }),
  ]);
  for (const { parent: owner, path: below } of type.createdUnder) {
    const parent = context.types.named(owner);
    operations.push([
      `POST /${parent.collection}/:id/${below}`,
      () =>
        creating(context, type, type.createStatus, {
          operationId: `create${name}Under${pascal(below)}Of${schemaName(parent)}`,
          summary: `Create ${it} of ${one(parent.name)}`,
        }),
    ]);
  }
  for (const method of ["PATCH", "PUT"])
    operations.push([`${method} ${path}`, () => changing(context, type, method, it, name)]);
  operations.push([
    `DELETE ${path}`,
    () => ({ operationId: `delete${name}`, summary: `Delete ${it}`, responses: { 204: done(context) } }),
  ]);
  return [
    ...operations,
    ...lifeCycleOperations(context, type),
    [`GET ${path}/audit`, () => auditOperation(context, type)],
    ...linkOperations(context, type),
    ...childOperations(context, type),
    ...readOnlyListOperations(context, type),
  ];
}

const moves: Record<string, string> = {
  archive: "Takes the record out of all lists and keeps it.",
  trash: "Takes the record out of all lists; after 28 days it is erased.",
  restore: "Brings an archived or trashed record back.",
};

const lifeCycleOperations = (context: Context, type: Type): Operations =>
  Object.entries(moves).map(([move, effect]) => [
    `POST /${type.collection}/:id/${move}`,
    () => ({
      operationId: `${move}${schemaName(type)}`,
      summary: `${capital(move)} ${one(type.name)}`,
      description: `${effect} For administrators of the account of the record. Takes no body.`,
      responses: { 200: saved(context, type) },
    }),
  ]);

const auditOperation = (context: Context, type: Type) => ({
  ...listing(context, context.types.named("audit_line"), {
    operationId: `listAuditOf${schemaName(type)}`,
    summary: `Read the audit trail of ${one(type.name)}`,
  }),
  description: "Newest entry first, with its changes. For everyone with a role in the account who may see the record.",
});
