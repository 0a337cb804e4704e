import { describe, expect, test } from "vitest";
import { fieldLabel } from "../../records/languages/index.ts";
import type { Field } from "../../records/vocabulary/index.ts";
import { isPortOfAnotherProtocol } from "../../server/webhooks/ports.ts";
import { randomNumbers } from "../support/random.ts";
import { allows, isWritable, RequestBodies } from "../support/records/request-bodies.ts";
import { type Reply, world } from "../support/world.ts";

// Well-formed values that make no sense, tested with every type that declares such a field.

const { as, service } = await world();
await service.webhookDispatcher.stop();
const admin = as("administrator");
const types = service.engine.types;
const bodies = new RequestBodies(admin, types);
const random = randomNumbers("senseless values");
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const findProblems = (reply: Reply, name: string): string[] =>
  (reply.body?.errors ?? []).filter(([field]: [string]) => field === name).map(([, text]: [string, string]) => text);
const written = types.all.filter((type) => allows(types, type, "create"));

describe("texts without visible characters", () => {
  const invisible = [..." \t\n\r\v\f\u00a0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"].concat(
    [..."\u0001\u001f\u007f\u0085\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u202e\u2060\u2063"],
    [..."\u2066\u206f\u2800\u3164\ufe0f\uffa0", "\u{e0001}", "\u{e0020}"],
  );
  const buildBlank = () => Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(invisible)).join("");
  const isText = (field: Field) => field.kind === "string" || field.kind === "text";
  const required = written
    .map((type) => ({
      type,
      names: type.fieldEntries
        .filter(([, field]) => isText(field) && field.access === "required" && isWritable(field) && !field.internal)
        .map(([name]) => name),
    }))
    .filter(({ names }) => names.length > 0);

  test("most types have a required text", () => expect(required.length).toBeGreaterThan(40));

  test.each(required.map(({ type, names }) => [type.name, type, names] as const))(
    "C12: a %s rejects required texts without visible characters",
    async (_name, type, names) => {
      const path = await bodies.path(type);
      const blanks = () => Object.fromEntries(names.map((name) => [name, buildBlank()]));
      const expectRefusal = (reply: Reply) => {
        expect(reply.status, reply.text).toBe(422);
        for (const name of names)
          expect(findProblems(reply, name)).toEqual([`${fieldLabel("en-US", name)} can't be blank`]);
      };
      const created = await bodies.post(type, blanks(), path);
      // A template may supply the missing text.
      if (created.status === type.routes.createStatus)
        for (const name of names) expect(created.body[name]).toMatch(/\w/);
      else expectRefusal(created);
      if (!allows(types, type, "update") || names.some((name) => type.fields[name]?.onCreateOnly)) return;
      const { body } = await bodies.post(type, {}, path);
      expectRefusal(await admin.patch(`${path}/${body.id}`, blanks()));
    },
  );

  test("C12: a text of one invisible character is blank, an optional one becomes null, and other texts keep their blanks", async () => {
    for (const character of invisible) {
      const { body } = await admin.post("/teams", { name: character });
      expect(body.errors, `U+${character.codePointAt(0)?.toString(16)}`).toEqual([["name", "Name can't be blank"]]);
    }
    const { body } = await admin.post("/teams", { name: " Night desk ", remarks: " \u200b\n" });
    expect([body.name, body.remarks]).toEqual([" Night desk ", null]);
    const request = await bodies.post(types.get("request"), { subject: " \u3000\u200b" });
    expect([request.status, request.body.subject]).toEqual([201, expect.stringMatching(/\w/)]);
    for (const name of ["\u0600", "\u{1f600}", "\ue000", "."])
      expect((await admin.post("/teams", { name: `${name} ${random()}` })).status).toBe(201);
  });
});

describe("periods", () => {
  const periods = written.flatMap((type) => type.periods.map((period) => ({ type, ...period })));
  const formatMoment = (day: number, kind: string): string => {
    const text = new Date(Date.UTC(2031, 0, 1 + day)).toISOString();
    return kind === "date"
      ? text.slice(0, 10)
      : kind === "localDatetime"
        ? text.slice(0, 19)
        : text.replace(".000", "");
  };

  test("the types with a start and an end declare the period", () =>
    expect(periods.map(({ type, name }) => `${type.name}.${name}`).sort()).toEqual([
      "broadcast.end_at",
      "contract.expiry_date",
      "flsa.expiry_date",
      "holiday.end_at",
      "invoice.amortization_end",
      "out_of_office_period.end_at",
      "request.downtime_end_at",
      "reservation.end_at",
      "shop_article.end_at",
      "sla.expiry_date",
      "sprint.end_at",
    ]));

  test("C13: every writable pair of a start and an end of one kind is declared", () => {
    const undeclared = written.flatMap((type) =>
      type.fieldEntries
        .filter(([name, field]) => /(?:^|_)(?:end|expiry)_(?:at|date)$/.test(name) && isWritable(field) && !field.endOf)
        .filter(([name]) => name.replace(/(?:end|expiry)_(at|date)$/, "start_$1") in type.fields)
        .map(([name]) => `${type.name}.${name}`),
    );
    expect(undeclared).toEqual([]);
  });

  test.each(periods.map((period) => [`${period.type.name}.${period.name}`, period] as const))(
    "C13: %s can't precede its start",
    async (_title, { type, name, field, endOf: { start, isEmptyAllowed } }) => {
      const path = await bodies.path(type);
      const day = 10 + Math.floor(random() * 300);
      const buildPeriod = (from: number, until: number) => ({
        [start]: formatMoment(from, field.kind),
        [name]: formatMoment(until, field.kind),
      });
      const refusal = [`${fieldLabel("en-US", name)} is not valid`];
      const wrong = await bodies.post(type, buildPeriod(day, day - 1 - Math.floor(random() * 9)), path);
      expect([wrong.status, findProblems(wrong, name)]).toEqual([422, refusal]);
      const empty = await bodies.post(type, buildPeriod(day, day), path);
      expect(findProblems(empty, name)).toEqual(isEmptyAllowed ? [] : refusal);
      const { status, body, text } = await bodies.post(type, buildPeriod(day + 400, day + 402), path);
      expect(status, text).toBe(type.routes.createStatus);
      const one = `${path}/${body.id}`;
      expect(findProblems(await admin.patch(one, { [start]: formatMoment(day + 403, field.kind) }), name)).toEqual(
        refusal,
      );
      expect(findProblems(await admin.patch(one, { [name]: formatMoment(day + 399, field.kind) }), name)).toEqual(
        refusal,
      );
      expect((await admin.patch(one, { [name]: formatMoment(day + 401, field.kind) })).status).toBe(200);
    },
  );

  test("C13: instants are compared, not their text", async () => {
    const team = await admin.post("/sprints", {
      start_at: "2031-01-01T10:00:00+02:00",
      end_at: "2031-01-01T09:00:00+00:00",
    });
    expect(findProblems(team, "end_at")).toEqual([]);
    const wrong = await admin.post("/sprints", {
      start_at: "2031-01-01T10:00:00Z",
      end_at: "2031-01-01T11:00:00+02:00",
    });
    expect(findProblems(wrong, "end_at")).toEqual(["End is not valid"]);
  });
});

describe("webhook URLs", () => {
  const save = async (uri: string) => findProblems(await admin.post("/webhooks", { event: "team.update", uri }), "uri");

  test("WH2: may not contain a user name, a password, control characters or blanks", async () => {
    for (const uri of ["http://ann@127.0.0.1/", "http://ann:secret@127.0.0.1/", "http://:secret@127.0.0.1/"])
      expect(await save(uri), uri).toEqual(["URI must not contain a user name or a password"]);
    const controls = [...Array(32).keys()]
      .slice(1)
      .concat(127, 0x85)
      .map((code) => String.fromCharCode(code));
    for (const character of [...controls, " ", "\u00a0", "\u2028"])
      for (const uri of [
        `http://127.0.0.1/a${character}b`,
        `http://127.0.0.1${character}/`,
        `http://127.0.0.1/?a=${character}\r\nX: y`,
      ])
        expect(await save(uri), JSON.stringify(uri)).toEqual(["URI contains invalid characters"]);
  });

  test("WH2: may not use another protocol's port, for any host", async () => {
    const ports = [...Array(65_536).keys()].filter((port) => isPortOfAnotherProtocol(String(port)));
    expect(ports).toEqual(
      expect.arrayContaining([0, 22, 25, 110, 143, 389, 445, 3306, 5432, 6379, 6667, 11_211, 27_017]),
    );
    for (const port of [80, 443, 3000, 8000, 8080, 8443, 9000]) expect(ports).not.toContain(port);
    for (const uri of [
      `http://127.0.0.1:${pick(ports)}/`,
      "https://hooks.example:22/",
      "http://[::1]:5432/",
      "https://h.example:0025/",
    ])
      expect(await save(uri), uri).toEqual(["URI must not use the port of another protocol"]);
    expect(await save("http://127.0.0.1:80/")).toEqual([]);
  });
});
