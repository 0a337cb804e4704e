import { Invalid } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { updateUnchecked } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Values } from "../../engine/rules.ts";
import type { Type } from "../../engine/types.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { type Exchange, WorkInterrupted } from "../exchange-context.ts";
import type { PrivacyJob } from "./privacy-jobs.ts";
import { loadSubject } from "./stored-data.ts";

// Removes a person's identity from the data, in steps: the record, its children, data of the service, audit values, and
// every text that names the person. Records that refer to the person stay, so they can be counted. Each slice is one
// transaction that also stores the position of the job, so an interrupted one resumes from there. D-490

/** `old`: the words that are replaced; they are forgotten when the job ends */
type Position = { step: number; after: number; old: { name: string; email: string }; accounts: string[] };
type Slice = { tx: Transaction; position: Position; by: Caller; type: Type; id: number };
/** Returns the id after which the step continues; null: it has ended. */
type Step = { name: string; run(slice: Slice): Promise<number | null> };

const idsPerSlice = 2000;

const lockJob = statement("SELECT position FROM privacy_jobs WHERE id = $1 AND finished_at IS NULL FOR UPDATE");
const savePosition = statement(
  "UPDATE privacy_jobs SET state = 'processing', position = $2, done = $3, total = $4, counts = $5 WHERE id = $1",
);

/** Rows that go: access, and what is kept for the person alone. */
const ownTables = [
  ...["tokens", "sessions", "passwords", "password_resets", "oauth_authorizations", "oauth_codes", "permissions"],
  ...["second_factors", "recovery_codes", "trusted_devices", "identity_links", "passkeys"],
  ...["kept_items", "seen_marks", "page_notifications", "muted_records", "idempotency_keys"],
];
const clearMails = [
  "UPDATE mails SET recipient = 'anonymous', subject = '', body = '', html = NULL, sealed_texts = NULL WHERE account_id = ANY($2::text[]) AND (person_id = $1 OR lower(recipient) = lower($3))",
  "UPDATE received_mails SET sender = NULL, subject = NULL, envelope_from = '', raw = NULL WHERE account_id = ANY($2::text[]) AND (person_id = $1 OR lower(sender) = lower($3)) AND state <> 'waiting'",
  "UPDATE security_events SET address = NULL WHERE account_id = ANY($2::text[]) AND person_id = $1 AND $3::text IS NOT NULL",
].map(statement);

const clearOwnAudit = statement(
  "UPDATE audit_lines SET changes = changes - $3::text[] WHERE record_id = $1 AND audited = $2 AND account_id = ANY($4::text[])",
);
const clearChildAudit = statement(
  "UPDATE audit_lines SET changes = '{}' WHERE record_id = ANY($1::integer[]) AND audited = $2 AND account_id = ANY($3::text[])",
);
const clearAddresses = statement(
  "UPDATE audit_lines SET origin = origin - 'address' WHERE created_by_id = $1 AND account_id = ANY($2::text[]) AND origin ? 'address'",
);

/** Tables whose texts people don't write, or that are deleted within moments. */
const untouchedTables = [
  "privacy_jobs",
  "jobs",
  "webhook_deliveries",
  "imports",
  "import_rows",
  "exports",
  "attachments",
];

const selectTextColumns = statement(
  `SELECT c.table_name, json_agg(json_build_array(c.column_name, c.data_type) ORDER BY c.column_name) FROM information_schema.columns c
WHERE c.table_schema = current_schema() AND c.data_type IN ('text', 'jsonb') AND c.is_generated = 'NEVER' AND c.column_name <> 'account_id'
AND NOT c.table_name = ANY($1::text[]) AND EXISTS (SELECT 1 FROM information_schema.tables t WHERE t.table_name = c.table_name AND t.table_schema = c.table_schema AND t.table_type = 'BASE TABLE')
AND NOT EXISTS (SELECT 1 FROM pg_class r WHERE r.relname = c.table_name AND r.relnamespace = to_regnamespace(c.table_schema) AND r.relispartition)
AND (SELECT count(*) FROM information_schema.columns o WHERE o.table_name = c.table_name AND o.table_schema = c.table_schema
  AND (o.column_name = 'account_id' OR o.column_name = 'id' AND o.data_type IN ('integer', 'bigint'))) = 2
GROUP BY c.table_name ORDER BY c.table_name`,
);

export async function anonymizeSubject(
  exchange: Exchange,
  job: PrivacyJob,
  { by, type }: { by: Caller; type: Type },
): Promise<void> {
  const { engine } = exchange;
  const steps = await listSteps(engine, type);
  for (;;) {
    const isOver = await engine.database.transaction(async (tx) => {
      const [row] = await tx.query(lockJob, [job.id]);
      if (row === undefined) return true;
      const position = row[0] == null ? await begin(engine, type, job) : (JSON.parse(row[0]) as Position);
      const step = steps[position.step];
      if (step === undefined) return true;
      const after = await step.run({ tx, position, by, type, id: job.subject_id });
      const next = after === null ? { ...position, step: position.step + 1, after: 0 } : { ...position, after };
      tx.send(savePosition, [
        job.id,
        JSON.stringify(next),
        next.step,
        steps.length,
        JSON.stringify({ step: step.name }),
      ]);
      return false;
    }, by.zone);
    if (isOver) return;
    if (exchange.closing) throw new WorkInterrupted();
  }
}

async function begin(engine: Engine, type: Type, job: PrivacyJob): Promise<Position> {
  const subject = await loadSubject(engine, type, job.subject_id, job.account_id);
  if (subject === null) throw new Invalid([["base", "is not valid"]]);
  const { name, email, accounts } = subject;
  return { step: 0, after: 0, old: { name, email }, accounts };
}

async function listSteps(engine: Engine, type: Type): Promise<Step[]> {
  const tables = await engine.database.read(selectTextColumns, [untouchedTables]);
  const owned = engine.types.all.filter(({ ownedBy }) => ownedBy.includes(type.name));
  return [
    { name: "record", run: (slice) => replaceRecord(engine, slice) },
    { name: "belongings", run: (slice) => removeBelongings(slice, owned) },
    { name: "service", run: removeServiceData },
    { name: "audit", run: clearAudit },
    ...tables.map(
      ([table, columns]): Step => ({
        name: table as string,
        run: (slice) => replaceMentions(slice, table as string, JSON.parse(columns as string) as [string, string][]),
      }),
    ),
  ];
}

/** The values of an anonymized record of the type. */
export const buildAnonymousValues = (type: Type, id: number): Values =>
  Object.fromEntries(
    Object.entries(type.deletion.anonymous ?? {}).map(([name, value]) => [
      name,
      typeof value === "string" ? value.replace("{id}", String(id)) : value,
    ]),
  );

async function replaceRecord(engine: Engine, { tx, by, type, id }: Slice): Promise<null> {
  const quiet = { ...by, suppressMail: true as const };
  await updateUnchecked({ engine, tx, by: quiet, type }, id, buildAnonymousValues(type, id));
  return null;
}

/** With the values in their audit lines. */
async function removeBelongings({ tx, position, type, id }: Slice, owned: readonly Type[]): Promise<null> {
  for (const child of owned) {
    const column = child.columns.get(type.name);
    if (column === undefined) continue;
    const rows = await tx.query(
      statement(`DELETE FROM ${child.ownTable} WHERE ${quoteIdentifier(column)} = $1 RETURNING id`),
      [id],
    );
    tx.send(clearChildAudit, [rows.map(([gone]) => Number(gone)), child.name, position.accounts]);
  }
  return null;
}

async function removeServiceData({ tx, position, id }: Slice): Promise<null> {
  for (const table of ownTables) tx.send(statement(`DELETE FROM ${table} WHERE person_id = $1`), [id]);
  for (const each of clearMails) tx.send(each, [id, position.accounts, position.old.email]);
  return null;
}

/** Former values of the fields that were replaced, and the addresses that the person worked from. */
async function clearAudit({ tx, position, type, id }: Slice): Promise<null> {
  tx.send(clearAddresses, [id, position.accounts]);
  tx.send(clearOwnAudit, [id, type.name, Object.keys(type.deletion.anonymous ?? {}), position.accounts]);
  return null;
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** The text as it is escaped in JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

async function replaceMentions(
  { tx, position, type, id }: Slice,
  table: string,
  columns: readonly (readonly [column: string, kind: string])[],
): Promise<number | null> {
  const values = buildAnonymousValues(type, id);
  const words = [position.old.name, position.old.email].filter((word) => word.trim().length > 1);
  const pattern = words.flatMap((word) => [word, inJson(word)]).map(escapePattern);
  const from = position.after;
  const [row] = await tx.query(
    statement(
      `SELECT max(id) FROM (SELECT id FROM ${quoteIdentifier(table)} WHERE id > $1 AND account_id = ANY($2::text[]) ORDER BY id LIMIT ${idsPerSlice}) x`,
    ),
    [from, position.accounts],
  );
  if (row?.[0] == null || pattern.length === 0) return null;
  const until = Number(row[0]);
  const replaced = (column: string, kind: string): string => {
    const name = quoteIdentifier(column);
    const text = kind === "jsonb" ? `${name}::text` : name;
    const changed = `regexp_replace(${text}, $3, $4, 'gi')`;
    return `${name} = ${kind === "jsonb" ? `${changed}::jsonb` : changed}`;
  };
  const found = columns.map(([column, kind]) => `${quoteIdentifier(column)}${kind === "jsonb" ? "::text" : ""} ~* $3`);
  await tx.query(
    statement(
      `UPDATE ${quoteIdentifier(table)} SET ${columns.map(([column, kind]) => replaced(column, kind)).join(", ")}
WHERE id > $1 AND id <= $2 AND account_id = ANY($5::text[]) AND (${found.join(" OR ")})`,
    ),
    [from, until, `(${[...new Set(pattern)].join("|")})`, String(values.name ?? ""), position.accounts],
  );
  return until;
}
