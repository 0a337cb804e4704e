import { describe, expect, test } from "vitest";
import { fieldLabel } from "../../records/languages/index.ts";
import type { Field } from "../../records/vocabulary/index.ts";
import type { Type } from "../../server/engine/types.ts";
import {
  allows,
  buildEchoedMembers,
  buildEdit,
  companionMembers,
  isBlankable,
  isEditable,
  isTiedToOtherFields,
  isWritable,
  type Members,
  pickFieldNames,
  RequestBodies,
  requiredByRules,
  textsWithFixedValues,
  wrongValues,
} from "../support/records/request-bodies.ts";
import { world } from "../support/world.ts";

// Tests single records of every type that callers create.

const { as, clock, service, sql } = await world();
await service.webhookDispatcher.stop(); // a delivery changes its webhook
const admin = as("administrator");
const types = service.engine.types;
const bodies = new RequestBodies(admin, types);
const strangers = new RequestBodies(as("stranger"), types);
const written = types.all.filter((type) => allows(types, type, "create")).map((type) => [type.name, type] as const);
const ids = (rows: { id: number }[]) => rows.map((row) => row.id);
const nothing = { status: 404, text: '{"message":"Not Found"}' };

/** Such a value is only in the response that creates it. */
const isRevealed = (type: Type, name: string): boolean =>
  type.fields[name]?.access === "readonly" && type.fields[name]?.transient === true;
const omitRevealed = (type: Type, body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !isRevealed(type, name)));

describe.each(written)("every record: %s", (_name, type) => {
  const changeable = allows(types, type, "update");
  const editable = changeable && isEditable(type);

  test("a create with only the required members returns the record, and a read returns the same", async () => {
    const path = await bodies.path(type);
    const { status, headers, body, text } = await bodies.post(type, {}, path);
    expect(status).toBe(type.routes.createStatus);
    if (type.routes.createResponse === "id") return expect(text).toBe(`{"id":${body.id}}`);
    if (type.ownedBy.length === 0)
      expect(headers.get("Location")).toMatch(new RegExp(`^http://[^/]+/a/widget-it${path}/${body.id}$`));
    if (Object.keys(body).some((name) => isRevealed(type, name)))
      expect((await admin.get(`${path}/${body.id}`)).body).toEqual(omitRevealed(type, body));
    else expect((await admin.get(`${path}/${body.id}`)).text).toBe(text);
    expect(Object.keys(body).filter((name) => type.fields[name]?.access === "writeonly")).toEqual([]);
    for (const [name, field] of Object.entries(type.fields))
      if (
        field.default !== undefined &&
        "value" in field.default &&
        type.detailFields.includes(name) &&
        !isTiedToOtherFields(type, name)
      )
        expect(body[name], name).toBe(field.default.value);
    if ("created_at" in body) expect(body.updated_at).toBe(body.created_at);
  });

  test("missing required fields are named, in the order of the declaration", async () => {
    const required = pickFieldNames(type, isBlankable);
    const { status, body } = await admin.post(await bodies.path(type), {});
    if (required.length === 0)
      return expect(requiredByRules[type.name] === undefined ? [200, 201] : [422]).toContain(status);
    expect([status, body.message]).toEqual([422, "Validation Failed"]);
    const pairs = body.errors.filter(([name]: [string]) => name !== "base");
    expect(pairs).toEqual(required.map((name) => [name, `${fieldLabel("en-US", name)} can't be blank`]));
    for (const blank of [null, ""]) {
      const again = await admin.post(
        await bodies.path(type),
        Object.fromEntries(required.map((name) => [name, blank])),
      );
      expect(again.body).toEqual(body);
    }
  });

  if (changeable)
    test("a value of the wrong kind is rejected under its field's name, and nothing is stored", async () => {
      const path = await bodies.path(type);
      const record = await bodies.make(type, {}, path);
      const wrong = new Map<string, readonly unknown[]>();
      for (const name of pickFieldNames(type, isWritable)) {
        const field = type.fields[name] as Field;
        if (field.onCreateOnly) continue;
        const email = field.kind === "string" && field.format === "email" ? ["no at"] : [];
        const values = [...(wrongValues[field.kind] ?? []), ...email];
        expect(values.length, field.kind).toBeGreaterThan(0);
        wrong.set(name, values);
      }
      // Each call sends the next wrong value of every field, and each response must name all these fields.
      const calls = Math.max(0, ...[...wrong.values()].map((values) => values.length));
      for (let call = 0; call < calls; call++) {
        const members = [...wrong].flatMap(([name, values]) => (call < values.length ? [[name, values[call]]] : []));
        const { status, body } = await admin.patch(`${path}/${record.id}`, Object.fromEntries(members));
        const named = new Set(body.errors?.map(([at]: [string]) => at));
        const accepted = members.filter(([name]) => !named.has(name));
        expect([status, accepted], JSON.stringify(accepted)).toEqual([422, []]);
      }
      expect((await admin.get(`${path}/${record.id}`)).body).toEqual(omitRevealed(type, record));
    });

  if (changeable)
    test("a text may be as long as its field declares, and no longer", async () => {
      const path = await bodies.path(type);
      const { id } = await bodies.make(type, {}, path);
      for (const name of pickFieldNames(
        type,
        (field) => isWritable(field) && ["string", "text"].includes(field.kind),
      )) {
        const field = type.fields[name] as Field;
        if ((field.kind === "string" && field.max === undefined) || textsWithFixedValues[type.name]?.includes(name))
          continue;
        const bytes = field.kind === "text" ? field.maxBytes : 0;
        const email = field.kind === "string" && field.format === "email";
        const longest = (extra: number, letter: string, unit: number) =>
          letter.repeat((field.kind === "string" ? (field.max ?? 0) : bytes / unit) - (email ? 9 : 0)) +
          (email ? "@w.exampl" : "") +
          "x".repeat(extra);
        const [letter, unit] = email ? ["e", 1] : field.kind === "string" ? ["😀", 1] : ["é", 2];
        const more = companionMembers[type.name]?.[name] ?? {};
        const fits = await admin.patch(`${path}/${id}`, {
          [name]: longest(0, letter as string, unit as number),
          ...more,
        });
        expect(fits.status, `${name}: ${fits.text.slice(0, 200)}`).toBe(200);
        const { status, body } = await admin.patch(`${path}/${id}`, {
          [name]: longest(1, letter as string, unit as number),
          ...more,
        });
        const limit = field.kind === "string" ? `${field.max} characters` : `${bytes} bytes`;
        expect([status, body.errors]).toEqual([
          422,
          [[name, `${fieldLabel("en-US", name)} is too long (maximum is ${limit})`]],
        ]);
      }
    });

  if (changeable)
    test("CV6: readonly and unknown members are ignored and named, or rejected when the caller asks for strictness", async () => {
      const path = await bodies.path(type);
      const record = await bodies.make(type, {}, path);
      const members = [...pickFieldNames(type, (field) => field.access === "readonly" && !field.internal), "bogus"];
      const body = { ...Object.fromEntries(members.map((name) => [name, "7"])) };
      const lenient = await admin.patch(`${path}/${record.id}`, body);
      expect([lenient.status, lenient.body]).toEqual([200, omitRevealed(type, record)]);
      expect(lenient.headers.get("X-Ignored-Fields")?.split(", ")).toEqual(members);
      const strict = await admin.patch(`${path}/${record.id}`, body, { Prefer: "handling=strict" });
      expect(strict.status).toBe(422);
      expect(strict.body.errors.map(([name]: [string]) => name)).toEqual(members);
      expect((await bodies.post(type, {}, path)).headers.get("X-Ignored-Fields")).toBeNull();
    });

  if (editable)
    test("CV5: PUT changes what it names and nothing else, as PATCH does", async () => {
      const { path, record } = await bodies.rich(type);
      for (const verb of ["PUT", "PATCH"]) {
        const edit = buildEdit(type);
        const { status, body } = await admin.send(verb, `${path}/${record.id}`, edit);
        expect(status).toBe(200);
        expect({ ...body, ...(type.fields.reference ? { reference: "" } : {}) }).toEqual({
          ...record,
          ...edit,
          ...buildEchoedMembers(type, edit),
          ...(type.fields.reference ? { reference: "" } : {}),
        });
        Object.assign(record, body);
      }
    });

  if (editable)
    test("C5: writing back what was read leaves updated_at and the audit trail unchanged", async () => {
      const { path, record } = await bodies.rich(type);
      const trail = () =>
        sql("SELECT id FROM audit_lines WHERE audited = $1 AND record_id = $2", [type.name, record.id]);
      const before = await trail();
      expect(before).toHaveLength(1);
      await clock.pass(60);
      const same = Object.fromEntries(
        pickFieldNames(type, (field) => isWritable(field) && field.access !== "writeonly" && !field.onCreateOnly)
          .filter((name) => record[name] !== undefined)
          .map((name) => [name, record[name]]),
      );
      const { status, body } = await admin.patch(`${path}/${record.id}`, same);
      expect([status, body]).toEqual([200, omitRevealed(type, record)]);
      expect(await trail()).toEqual(before);
      expect((await admin.patch(`${path}/${record.id}`, buildEdit(type))).status).toBe(200);
      expect(await trail()).toHaveLength(2);
    });

  if (editable)
    test("changes write the declared events and an audit entry", async () => {
      const path = await bodies.path(type);
      const { id } = await bodies.make(type, {}, path);
      const edit = buildEdit(type);
      await admin.patch(`${path}/${id}`, edit);
      const events = await sql<{ event: string }>(
        "SELECT event FROM events WHERE record_type = $1 AND record_id = $2 ORDER BY id",
        [type.name, id],
      );
      const expected = ["create", "update"].filter((event) => type.events.includes(event));
      expect(events.map(({ event }) => event)).toEqual(expected.map((event) => `${type.name}.${event}`));
      if (type.ownedBy.length > 0) return;
      const { status, body } = await admin.get(`${path}/${id}/audit`);
      expect(status).toBe(200);
      expect(body.map(({ action }: { action: string }) => action)).toEqual(["update", "create"]);
      expect(Object.keys(body[0]).sort()).toEqual([
        "action",
        "changes",
        "created_at",
        "created_by",
        "id",
        "nodeID",
        "user",
      ]);
      expect(body[0].created_by).toMatchObject({ id: 1, name: "Ada Admin" });
      for (const [name, value] of Object.entries(edit)) expect(body[0].changes[name][1]).toBe(value);
    });

  if ("source" in type.fields)
    test("CV17: source is set by the body, then the header, then the User-Agent", async () => {
      const createAndReadSource = async (headers: Record<string, string>, members: Members = {}) =>
        (await bodies.post(type, members, undefined, headers)).body.source;
      const both = { "X-Xurrent-Source": "first", "X-4me-Source": "second", "User-Agent": "third" };
      if (type.fields.source?.access !== "readonly")
        expect(await createAndReadSource(both, { source: "body" })).toBe("body");
      expect(await createAndReadSource(both)).toBe("first");
      expect(await createAndReadSource({ ...both, "X-Xurrent-Source": "" })).toBe("second");
      expect(await createAndReadSource({ "User-Agent": "a-program-with-a-very-long-name/1.0" })).toBe(
        "a-program-with-a-very-long-nam",
      );
    });

  test("CV29: DELETE deletes records of deletable types and returns 404 for all others", async () => {
    const path = await bodies.path(type);
    const { id } = await bodies.make(type, {}, path);
    const deletable = type.ownedBy.length > 0 ? allows(types, type, "delete") : type.deletion.deletable !== false;
    const { status, text } = await admin.delete(`${path}/${id}`);
    expect([status, text]).toEqual(deletable ? [204, ""] : [404, '{"message":"Not Found"}']);
    const after = await admin.get(`${path}/${id}`);
    if (typeof type.deletion.deletable === "object" && type.deletion.deletable.once === undefined)
      expect(after.body).toMatchObject({ [type.deletion.deletable.marks]: true });
    else expect(after.status).toBe(deletable ? 404 : 200);
  });

  test("for a caller of an unrelated account a record doesn't exist", async () => {
    const path = await bodies.path(type);
    const { id, nodeID } = await bodies.make(type, {}, path);
    const stranger = as("stranger");
    // account-isolation.test.ts tries other calls with its id.
    const calls: [string, string][] = [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["GET", "/audit"],
    ];
    for (const [method, suffix] of calls) {
      const [there, notThere, byNode] = await Promise.all(
        [id, 2_000_000_000, nodeID].map((each) =>
          stranger.send(method, `${path}/${each}${suffix}`, method === "GET" ? undefined : {}),
        ),
      );
      expect(there, `${method} ${suffix}`).toMatchObject(nothing);
      expect([notThere?.text, byNode?.text]).toEqual([there?.text, there?.text]);
    }
    if (type.ownedBy.length > 0) return;
    const list = await stranger.get(`${path}?per_page=100`);
    expect(ids(list.body)).not.toContain(id);
    if (type.filterable.includes("id")) expect((await stranger.get(`${path}?id=${id}`)).text).toBe("[]");
  });

  const references = pickFieldNames(type, (field) => field.kind.startsWith("reference") && isWritable(field));
  if (references.length > 0)
    test("a reference to an unrelated account's record is rejected like a reference to a missing one", async () => {
      const path = await strangers.path(type);
      for (const name of references) {
        const field = type.fields[name] as Extract<Field, { to: string }>;
        const theirs = await bodies.reference(field.to);
        const [one, other] = await Promise.all(
          [theirs, 2_000_000_000].map((id) =>
            strangers.post(type, { [name]: field.kind === "references" ? [id] : id, [`${name}_id`]: id }, path),
          ),
        );
        expect([one?.status, one?.text], name).toEqual([422, other?.text]);
        expect(one?.body.errors.map(([at]: [string]) => at)).toContain(name);
        if (type.filterable.includes(name))
          expect((await as("stranger").get(`${path}?${name}=${theirs}`)).text).toBe("[]");
      }
    });
});
