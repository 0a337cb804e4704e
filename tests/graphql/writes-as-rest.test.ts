import { expect, test } from "vitest";
import type { Type } from "../../server/engine/types.ts";
import { isWritable, listInputFields } from "../../server/graphql/model/input-fields.ts";
import { pickRecordName, pickTypeName } from "../../server/graphql/model/names.ts";
import { graphqlClient } from "../support/clients/graphql-client.ts";
import { allows, buildEdit, isEditable, type Members, RequestBodies } from "../support/records/request-bodies.ts";
import { loggedErrors, world } from "../support/world.ts";

// For every record type: a mutation and the equivalent REST call leave the same row, audit lines and events.

const the = await world({ env: { COST_LIMIT: "0" } });
const { types } = the.service.engine;
const rest = the.as("administrator");
const ask = graphqlClient(the, "administrator");
const bodies = new RequestBodies(rest, types);

/** Texts that differ between the two records have the same length, and are unified before the comparison. */
let count = 0;
const tokens = () => {
  const number = String(++count).padStart(4, "0");
  return [`qa${number}`, `qb${number}`] as const;
};
const isText = (type: Type, name: string): boolean =>
  ["string", "text"].includes(type.fields[name]?.kind ?? "") || name === "label";

/** Replaces the token in the text; addresses stay valid. */
function markText(type: Type, name: string, text: string, token: string): string {
  const field = type.fields[name];
  if (field?.kind === "string" && field.format === "email") return `${token}@widget.example`;
  if (field?.kind === "string" && field.format === "uri") return `http://127.0.0.1:4/${token}`;
  if (field?.kind === "string" && field.format !== undefined) return text;
  const max = field?.kind === "string" ? (field.max ?? 40) : 40;
  return `${name} ${token}`.slice(-max);
}
const mark = (type: Type, body: Members, token: string): Members =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === "string" && isText(type, name) && !isFixed(type, name)
        ? markText(type, name, value, token)
        : value,
    ]),
  );

/** Fields with a closed set of valid texts. */
const isFixed = (type: Type, name: string): boolean =>
  ["trigger", "generic", "uri", "support_domain", "do_not_translate_languages", "country"].includes(name) &&
  !(type.name === "webhook" && name === "uri");

const toCamelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Values that are unique per record or random. */
const ownColumns = new Set([
  "id",
  "position",
  "number",
  "feedback_key",
  "letters",
  "verification_hash",
  "start_at",
  "end_at",
]);
const isOwn = (type: Type, column: string): boolean =>
  (type.name === "webhook_policy" && column === "name") ||
  ownColumns.has(column) ||
  /secret|private_key|public_key|key_id|search|preparation_start|prepared_version|sealed|^fail|last_error|mailed_at|disabled_reason/.test(
    column,
  );

async function toInput(type: Type, purpose: "create" | "update", body: Members): Promise<Members> {
  const fields = listInputFields(type, types, purpose);
  const input: Members = {};
  for (const [key, value] of Object.entries(body)) {
    const member = key.replace(/_ids?$/, "");
    const field = fields.find(
      (each) =>
        ("member" in each && (each.member === key || each.member === member)) ||
        (each.is === "made" && each.made.member === key),
    );
    if (field === undefined) throw new Error(`${type.name}.${key} has no input`);
    if (field.is === "custom fields")
      input[field.name] = Object.entries(value as Members).map(([id, each]) => ({ id, value: each }));
    else if (field.is === "made" && field.made.make === "id of a code")
      input[field.name] = await bodies.reference(field.made.target as string);
    else if (field.is === "made" && field.made.make.endsWith("recurrence"))
      input[field.name] = Object.fromEntries(
        Object.entries(value as Members).map(([name, each]) => [
          toCamelCase(name),
          name === "day" ? String(each).split(",").map(Number) : each,
        ]),
      );
    else if (field.is === "made" && field.made.make === "languages") input[field.name] = [value];
    else if (field.is === "made" && field.made.make === "text") input[field.name] = String(value);
    else input[field.name] = value;
  }
  return input;
}

/** The stored data of a record, with unified texts. */
async function readStored(type: Type, id: number, token: string): Promise<unknown> {
  const [row] = await the.sql<{ row: Members }>(`SELECT to_jsonb(t) AS row FROM ${type.ownTable} t WHERE id = $1`, [
    id,
  ]);
  const audit = await the.sql<{ action: string; changes: Members }>(
    "SELECT action, changes FROM audit_lines WHERE audited = $1 AND record_id = $2 ORDER BY id",
    [type.name, id],
  );
  const events = await the.sql<{ event: string }>(
    "SELECT event FROM events WHERE record_type = $1 AND record_id = $2 ORDER BY id",
    [type.name, id],
  );
  const leaveOut = (members: Members) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !isOwn(type, name)));
  const stored = {
    row: leaveOut(row?.row ?? {}),
    audit: audit.map(({ action, changes }) => ({ action, changes: leaveOut(changes) })),
    events: events.map(({ event }) => event),
  };
  return JSON.parse(
    JSON.stringify(stored)
      .replaceAll(token, "TOKEN")
      .replaceAll(token.toUpperCase(), "TOKEN")
      .replaceAll(`"${id}"`, '"ID"'),
  );
}

const save = async (type: Type, verb: "Create" | "Update", input: Members) => {
  const name = `${pickRecordName(type.name)}${verb}`;
  const record = pickRecordName(type.name);
  const { data, errors, text } = await ask(
    `mutation($input: ${pickTypeName(type.name)}${verb}Input!) { ${name}(input: $input) { errors { path message } ${record} { id } } }`,
    { input },
  );
  if (errors !== undefined || data === undefined) throw new Error(`${name}: ${text}`);
  const payload = data[name] as { errors: unknown; [record: string]: unknown };
  return { errors: payload.errors, nodeID: (payload[record] as { id: string } | null)?.id ?? null };
};

const parseId = (nodeID: string): number =>
  Number(/\d+$/.exec(Buffer.from(nodeID, "base64url").toString())?.[0] ?? Number.NaN);

for (const type of types.all.filter((each) => isWritable(each) && allows(types, each, "create"))) {
  test(`a ${type.name} is saved as in REST`, async () => {
    const [ours, theirs] = tokens();
    const inputs = new Set(
      listInputFields(type, types, "create").flatMap((field) =>
        "member" in field ? [field.member] : field.is === "made" ? [field.made.member] : [],
      ),
    );
    const written = (body: Members): Members =>
      Object.fromEntries(
        Object.entries(body).filter(([key]) => inputs.has(key) || inputs.has(key.replace(/_ids?$/, ""))),
      );
    // The second body gets another hour, because some records must not overlap.
    const [first, second] = [written(await bodies.full(type)), written(await bodies.full(type))];
    const times = Object.fromEntries(
      ["start_at", "end_at"].flatMap((key) => (key in second ? [[key, second[key]]] : [])),
    );
    const body = mark(type, first, ours);
    const made = await rest.post(`/${type.collection}`, body);
    const input = await toInput(type, "create", { ...mark(type, first, theirs), ...times });
    const { errors, nodeID } = await save(type, "Create", input);
    expect([type.name, made.status < 300 ? null : made.text]).toEqual([type.name, null]);
    expect([type.name, errors]).toEqual([type.name, null]);
    const id = parseId(nodeID as string);
    expect(await readStored(type, id, theirs)).toEqual(await readStored(type, made.body.id, ours));

    if (isEditable(type)) {
      const edit = written(buildEdit(type));
      const [one, other] = [mark(type, edit, `${ours}e`), mark(type, edit, `${theirs}e`)];
      expect((await rest.patch(`/${type.collection}/${made.body.id}`, one)).status).toBe(200);
      const changed = await save(type, "Update", { id: nodeID, ...(await toInput(type, "update", other)) });
      expect([type.name, changed.errors]).toEqual([type.name, null]);
      expect(await readStored(type, id, theirs)).toEqual(await readStored(type, made.body.id, ours));
    }
    expect(loggedErrors(the.log)).toEqual([]);
  });
}
