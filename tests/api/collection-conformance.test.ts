import { describe, expect, test } from "vitest";
import type { Field } from "../../records/vocabulary/index.ts";
import type { Type } from "../../server/engine/types.ts";
import {
  allows,
  isTiedToOtherFields,
  pickFieldNames,
  RequestBodies,
  uniqueText,
} from "../support/records/request-bodies.ts";
import { enableProvisioning, runDueRules, scimClient } from "../support/scim/scim-client.ts";
import { world } from "../support/world.ts";

// Tests every collection in the register. record-conformance.test.ts tests single records.

const here = await world();
const { as, service, sql } = here;
await service.webhookDispatcher.stop(); // a delivery changes its webhook
const admin = as("administrator");
const types = service.engine.types;
const bodies = new RequestBodies(admin, types);
const collections = types.all
  .filter((type) => (type.storage.journal && type.ownedBy.length === 0) || allows(types, type, "create"))
  .map((type) => [type.name, type] as const);
const ids = (rows: { id: number }[]) => rows.map((row) => row.id);
const nothing = { status: 404, text: '{"message":"Not Found"}' };

/** The service writes journal entries itself, so a change is made for each. */
async function createEntries(type: Type, path: string): Promise<number[]> {
  if (type.name === "affected_sla") {
    const names = ["request", "sla", "service_instance"];
    const about = await Promise.all(names.map((name) => bodies.reference(name)));
    const rows = await sql<{ id: number }>(
      `INSERT INTO affected_slas (account_id, request_id, sla_id, service_instance_id, stopped_clock_duration, next_target_at, created_at, updated_at)
SELECT 'widget-it', $1, $2, $3, 0, '2031-02-28T12:30:00Z', $4, $4 FROM generate_series(1, 3) RETURNING id`,
      [...about, "2025-03-03T08:00:00Z"],
    );
    return ids(rows);
  }
  if (type.name === "scim_user" || type.name === "scim_group") {
    const client = scimClient(here, await enableProvisioning(admin));
    const made: number[] = [];
    for (const name of ["one", "two", "three"].map((word) => `${word}-${uniqueText()}`))
      made.push(
        Number(
          type.name === "scim_user"
            ? (await client.user({ userName: name, displayName: name, externalId: name })).id
            : (await client.group({ displayName: name, externalId: name })).id,
        ),
      );
    await runDueRules(here); // rules write their entries when they run
    return made;
  }
  for (let i = 0; i < 3; i++) {
    const { id } = await bodies.make(types.get("specimen"), { status: "completed" });
    if (type.name !== "audit_line") await admin.post(`/specimens/${id}/${type.collection}`);
  }
  return ids((await admin.get(`${path}?per_page=3&sort=-id`)).body).reverse();
}

/** Returns the declared order. An owner can declare a different one for its children. */
function readOrder(type: Type): string {
  const [owner] = type.ownedBy;
  const children = owner === undefined ? [] : Object.values(types.get(owner).children);
  return children.find((child) => child.of === type.name)?.sort ?? type.sort;
}

/** Tests here don't change records, so all tests of a type share the same ones. */
function onceForEachType<T>(make: (type: Type) => Promise<T>): (type: Type) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (type) => {
    const known = made.get(type.name) ?? make(type);
    made.set(type.name, known);
    return known;
  };
}

/** Creates three records in a collection, and returns their ids in the order of creation. */
const createThree = onceForEachType(async (type): Promise<{ path: string; query: string; made: number[] }> => {
  const path = await bodies.path(type);
  const made: number[] = type.storage.journal ? await createEntries(type, path) : [];
  const names = [type.display, type.sort.replace(/^-/, "")].filter((name) => type.fields[name]?.kind === "string");
  for (const letter of type.storage.journal ? [] : ["b", "c", "a"])
    made.push(
      (await bodies.make(type, Object.fromEntries(names.map((name) => [name, `${letter}${uniqueText()}`])), path)).id,
    );
  return { path, query: type.filterable.includes("id") ? `id=${made}` : "", made };
});

/** Sets timestamps that only the service writes and that are still empty. */
async function setMoments(type: Type, path: string, id: number) {
  for (const name of type.filterable.filter((field) => type.fields[field]?.access === "readonly"))
    if (type.fields[name]?.kind === "datetime")
      await sql(`UPDATE ${type.collection} SET ${name} = coalesce(${name}, '2031-02-28T12:30:00Z') WHERE id = $1`, [
        id,
      ]);
  return { path, record: (await admin.get(`${path}/${id}`)).body };
}

const createRich = onceForEachType(async (type) => {
  if (!type.storage.journal && type.routes.createResponse === "record") {
    const { path, record } = await bodies.rich(type);
    return setMoments(type, path, record.id);
  }
  const { path, made } = await createThree(type);
  return { path, record: (await admin.get(`${path}/${made[0]}`)).body };
});

describe.each(collections)("every collection: %s", (_name, type) => {
  test("a list is an array with the default fields, id and nodeID, and marks disabled rows", async () => {
    const { path, query } = await createThree(type);
    const { status, body } = await admin.get(`${path}?${query}`);
    expect(status).toBe(200);
    expect(body).toHaveLength(3);
    for (const row of body) {
      const subject = type.defaultFields.find((name) => type.fields[name]?.kind === "subject");
      const about = row.audited ?? row.archived ?? row.trashed;
      const expected = new Set(["id", "nodeID", ...type.defaultFields]);
      if (subject !== undefined) [expected.delete(subject), expected.add(about)];
      if (type.serialize.showsDisabled === "always") expected.add("disabled");
      for (const name of expected)
        if (
          row[name] === undefined &&
          (type.serialize.omitBlankMembers ||
            type.serialize.omitFromListsIfBlank.includes(name) ||
            type.fields[name]?.kind === "recurrence")
        )
          expected.delete(name);
      expect(Object.keys(row).sort()).toEqual([...expected].sort());
    }
  });

  test("the default order is the declared one", async () => {
    const { path, query, made } = await createThree(type);
    const { body } = await admin.get(`${path}?${query}`);
    const [first, second, third] = made;
    const order = readOrder(type);
    const sorted = type.fields[order.replace(/^-/, "")];
    const rising = sorted?.kind === "string" && sorted.access !== "readonly" ? [third, first, second] : made;
    expect(ids(body).filter((id) => made.includes(id))).toEqual(order.startsWith("-") ? [...rising].reverse() : rising);
  });

  test("CV12: each filterable field accepts the operators of its kind and rejects the others", async () => {
    const { path, record } = await createRich(type);
    // Conditions that the record meets. The first conditions of all fields are combined, then the second ones, and so
    // on.
    const meeting: string[][] = [];
    const kinds = new Set<Field["kind"]>();
    const only = type.filterable.includes("id") ? `&id=${record.id}` : "";
    for (const name of type.filterable) {
      const field = type.fields[name] as Field;
      const shown = field.kind === "reference" ? record[name]?.id : record[name];
      // Fields that only the service writes may be empty.
      if (shown == null && (field.access === "readonly" || isTiedToOtherFields(type, name))) continue;
      expect(shown ?? null, `${name} should have a value`).not.toBeNull();
      const v = encodeURIComponent(String(shown));
      const isFound = async (condition: string) => {
        const { status, body, text } = await admin.get(`${path}?${name}${condition}${only}`);
        return status === 200 ? ids(body).includes(record.id) : text;
      };
      const range = [
        ...["id", "integer", "decimal", "float", "duration"],
        ...["date", "datetime", "localDatetime", "target"],
      ].includes(field.kind);
      const set = ["id", "integer", "duration", "reference", "code", "enum"].includes(field.kind);
      const outcomes: [string, boolean][] = [
        [`=${v}`, true],
        [`=!${v}`, false],
        [`!=${v}`, false],
        ["=", false],
        ["=!", true],
        ["!=", true],
      ];
      if (set) outcomes.push([`=${v},${v}`, true], [`=!${v},${v}`, false], [`!=${v},${v}`, false]);
      if (range)
        outcomes.push(
          [`=<${v}`, false],
          [`=<=${v}`, true],
          [`=>${v}`, false],
          [`=>=${v}`, true],
          [`=>${v}<${v}`, false],
          [`=>=${v}<=${v}`, true],
        );
      // Operators belong to the kind: the first field of each kind tests every condition that must not match, the
      // others test one.
      const isFirst = !kinds.has(field.kind);
      kinds.add(field.kind);
      const failing = outcomes.filter(([condition, expected]) => !expected && (isFirst || condition === `=!${v}`));
      const answers = await Promise.all(failing.map(async ([condition]) => [condition, await isFound(condition)]));
      expect(answers, name).toEqual(failing);
      meeting.push(outcomes.filter(([, expected]) => expected).map(([condition]) => `${name}${condition}`));
      const refusal = (message: string) => JSON.stringify({ message });
      if (field.kind === "boolean")
        expect(await isFound("=true,false")).toBe(refusal(`Cannot filter on a set of values for field '${name}'`));
      else if (!set)
        expect(await isFound(`=${v},${v}`)).toBe(
          refusal(`Cannot apply the '=' operator to a set of values for field '${name}'`),
        );
      if (["string", "text", "boolean", "timeZone", "reference", "code", "enum"].includes(field.kind))
        for (const operator of [">", ">=", "<", "<="])
          expect(await isFound(`=${operator}${v}`)).toBe(
            refusal(`Field '${name}' does not support the '=${operator}' operator`),
          );
      if (!["string", "text", "boolean", "code"].includes(field.kind))
        expect(await isFound("=b@gus")).toBe(refusal(`Invalid value for field '${name}'`));
    }
    for (let call = 0; call < Math.max(0, ...meeting.map(({ length }) => length)); call++) {
      const conditions = meeting.flatMap((each) => each.slice(call, call + 1));
      const { status, body, text } = await admin.get(`${path}?${conditions.join("&")}${only}`);
      expect(
        [status, status === 200 && ids(body).includes(record.id)],
        `${conditions.join("&")}: ${text.slice(0, 500)}`,
      ).toEqual([200, true]);
    }
  });

  test("a list reports different errors for a field that can't be filtered and one that doesn't exist", async () => {
    const { path } = await createThree(type);
    const refused = type.outputFields.find(
      (name) => !type.filterable.includes(name) && type.fields[name]?.kind !== "subject",
    );
    if (refused !== undefined)
      expect((await admin.get(`${path}?${refused}=1`)).body).toEqual({
        message: `Filtering not allowed on fields: ${refused}`,
      });
    const { status, body } = await admin.get(`${path}?bogus=1&other_id=2`);
    expect([status, body]).toEqual([400, { message: "Unknown fields: bogus, other_id" }]);
  });

  test("CV14: each sortable field sorts in both directions, and no other field sorts", async () => {
    const { path, query } = await createThree(type);
    for (const name of type.sortable) {
      const [up, down] = await Promise.all(["", "-"].map((sign) => admin.get(`${path}?${query}&sort=${sign}${name}`)));
      expect(up?.status, name).toBe(200);
      expect(ids(down?.body), name).toEqual(ids(up?.body).reverse());
    }
    const refused = ["bogus", ...type.outputFields.filter((name) => !type.sortable.includes(name)).slice(0, 2)].join(
      ", ",
    );
    const { status, body } = await admin.get(`${path}?sort=${refused.replaceAll(" ", "")}`);
    expect([status, body]).toEqual([400, { message: `Sorting not allowed on fields: ${refused}` }]);
  });

  test("CV13: a predefined filter is a path suffix, a value of state, or both", async () => {
    const { path } = await createThree(type);
    for (const view of Object.keys(type.views)) {
      const [suffix, state, both, synonym] = await Promise.all(
        [
          `${path}/${view}`,
          `${path}?state=${view}`,
          `${path}/${view}?state=${view}`,
          `${path}?predefined_filter=${view}`,
        ].map((address) => admin.get(address)),
      );
      expect(suffix?.status, view).toBe(200);
      for (const other of [state, both, synonym]) expect(other?.text).toBe(suffix?.text);
    }
    if ("disabled" in type.views) {
      const { body } = await admin.get(`${path}/enabled?state=disabled`);
      expect(body).toEqual([]);
    }
    expect((await admin.get(`${path}?state=bogus`)).status).toBe(400);
    expect(await admin.get(`${path}/bogus`)).toMatchObject(nothing);
  });

  test("CV11: ?fields= selects every field that the type shows, and rejects all others", async () => {
    const { path, record } = await createRich(type);
    const nameable = type.detailFields.filter((name) => type.selectable.has(name));
    const selections = nameable.map(async (name) => {
      const { status, body, text } = await admin.get(`${path}/${record.id}?fields=${name}`);
      expect(status, `${name}: ${text}`).toBe(200);
      const always = ["id", "nodeID", "disabled", "archived", "trashed"];
      const extra = Object.keys(body).filter((key) => !always.includes(key));
      if (type.fields[name]?.kind === "subject") expect(extra).toHaveLength(1);
      else for (const key of extra) expect([name, body[key]]).toEqual([key, record[key]]);
    });
    await Promise.all(selections);
    const isHidden = ({ access, transient, selectable, computed }: Field) =>
      selectable === false ||
      (!selectable && (access === "writeonly" || (transient === true && computed === undefined)));
    const hidden = [...pickFieldNames(type, isHidden), "bogus"];
    for (const address of [path, `${path}/${record.id}`]) {
      const { status, body } = await admin.get(`${address}?fields=id,${hidden}`);
      expect([status, body]).toEqual([400, { message: `Unknown fields: ${hidden.join(", ")}` }]);
    }
  });

  test("CV15: per_page must be a number from 1 to 100", async () => {
    const { path } = await createThree(type);
    const tooSmall = { message: "Parameter 'per_page' cannot be less than 1" };
    for (const wrong of ["0", "-1"])
      expect(await admin.get(`${path}?per_page=${wrong}`)).toMatchObject({ status: 400, body: tooSmall });
    for (const wrong of ["abc", "1e2", "1.5"]) expect((await admin.get(`${path}?per_page=${wrong}`)).status).toBe(400);
    const { status, headers } = await admin.get(`${path}?per_page=101`);
    expect([status, headers.get("X-Pagination-Per-Page")]).toEqual([200, "100"]);
  });

  test("CV2: .json and a trailing slash address the same resource", async () => {
    const { path, made } = await createThree(type);
    for (const address of [path, `${path}/${made[0]}`]) {
      const plain = await admin.get(address);
      expect(plain.status).toBe(200);
      for (const form of [".json", "/", ".json/"]) expect((await admin.get(address + form)).text).toBe(plain.text);
    }
  });

  test("CV19: a conditional read with the current tag, in any form, returns 304", async () => {
    const { path, made } = await createThree(type);
    for (const address of [path, `${path}/${made[0]}`]) {
      const first = await admin.get(address);
      const tag = first.headers.get("ETag") ?? "";
      expect(tag).toMatch(/^W\/"[0-9a-f]{32}"$/);
      const strong = tag.slice(2);
      const forms = [tag, strong, strong.replaceAll('"', ""), `"other", ${tag}`];
      const sent = forms.map((form, index) => ({ [index % 2 === 0 ? "Etag" : "If-None-Match"]: form }));
      const replies = await Promise.all(sent.map((headers) => admin.get(address, headers)));
      expect(replies.map(({ status, text }) => [status, text])).toEqual(sent.map(() => [304, ""]));
      expect((await admin.get(address, { Etag: 'W/"00"' })).text).toBe(first.text);
    }
  });

  test("CV2: the path accepts the nodeID as id, and an unknown id returns 404", async () => {
    const { path, made } = await createThree(type);
    const { body, text } = await admin.get(`${path}/${made[0]}`);
    expect((await admin.get(`${path}/${body.nodeID}`)).text).toBe(text);
    const other = await bodies.make(types.get(type.name === "site" ? "team" : "site"));
    for (const id of ["2000000000", "2147483648", "99999999999999999999", "0", "-1", "1.0", "abc", other.nodeID])
      expect(await admin.get(`${path}/${id}`), id).toMatchObject(nothing);
  });
});
