import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuery } from "../../server/api/http/parameters.ts";
import { BadRequest } from "../../server/base/errors.ts";
import { type Filter, parseFilter } from "../../server/engine/read/filter.ts";
import { type Reply, world } from "../support/world.ts";

const { as, sql } = await world();
const admin = as("administrator");
const settings = { seed: 20_250_303, numRuns: 1000 };

describe("query strings", () => {
  const name = fc.stringMatching(/^[a-z_]{1,12}$/);
  const plain = fc
    .string({ unit: "grapheme", maxLength: 12 })
    .filter((text) => !/[\0!<>,]/.test(text) && text.isWellFormed());
  const some = plain.filter((text) => text !== "");

  test("the parser returns parameters or a BadRequest for any input, and parameters can be parsed as filters", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.stringMatching(/^[%&=!<>,+a-f0-9]{0,40}$/),
      fc.webQueryParameters(),
    );
    let parsed = 0;
    fc.assert(
      fc.property(anything, (text) => {
        try {
          for (const parameter of parseQuery(text)) {
            const filter = parseFilter(parameter);
            parsed++;
            expect(filter.blank).toBe(filter.list === null && filter.comparisons.length === 0);
            expect(filter.list === null || filter.list.length > 1).toBe(true);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(BadRequest);
        }
      }),
      settings,
    );
    expect(parsed).toBeGreaterThan(100);
  });

  test("names and values are decoded unchanged and in order, whatever their encoding", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ name, value: plain }), { minLength: 1, maxLength: 8 }), (parameters) => {
        const text = parameters.map((p) => `${encodeURIComponent(p.name)}=${encodeURIComponent(p.value)}`).join("&");
        expect(parseQuery(text)).toEqual(parameters);
        const form = new URLSearchParams(parameters.map((p): [string, string] => [p.name, p.value]));
        expect(parseQuery(form.toString())).toEqual(parameters);
      }),
      settings,
    );
  });

  test("the parser reads a filter as it was written", () => {
    const operator = fc.constantFrom("<", "<=", ">", ">=") as fc.Arbitrary<"<" | "<=" | ">" | ">=">;
    const comparison = fc.record({ operator, value: some.filter((text) => !text.startsWith("=")) });
    const meant = fc.oneof(
      fc.record({ list: fc.constant(null), comparisons: fc.constant([]) }),
      fc.record({ list: fc.constant(null), comparisons: some.map((value) => [{ operator: "=" as const, value }]) }),
      fc.record({ list: fc.array(plain, { minLength: 2, maxLength: 5 }), comparisons: fc.constant([]) }),
      fc.record({ list: fc.constant(null), comparisons: fc.array(comparison, { minLength: 1, maxLength: 2 }) }),
    );
    fc.assert(
      fc.property(name, fc.boolean(), fc.boolean(), meant, (field, negated, inName, { list, comparisons }) => {
        const body =
          list?.join(",") ??
          comparisons.map((one) => `${one.operator === "=" ? "" : one.operator}${one.value}`).join("");
        const expected: Filter = { field, negated, blank: body === "", list, comparisons: [...comparisons] };
        const [marked, value] = negated && inName ? [`${field}!`, body] : [field, negated ? `!${body}` : body];
        const [parameter] = parseQuery(`${marked}=${encodeURIComponent(value)}`);
        expect(parseFilter(parameter as { name: string; value: string })).toEqual(expected);
      }),
      settings,
    );
  });
});

describe("walking a collection", () => {
  const values = fc.record({
    subject: fc.constantFrom("a", "b", "B", "ä", "z z"),
    count: fc.option(fc.integer({ min: -2, max: 2 })),
    price: fc.option(fc.constantFrom("1.5", "1.50", "-3", "1000")),
    ratio: fc.option(fc.constantFrom(0.1, 1e21, -2.5)),
    priority: fc.option(fc.constantFrom("none", "low", "top")),
    team_id: fc.option(fc.constantFrom(1, 2)),
    day: fc.option(fc.constantFrom("2031-01-01", "2031-06-01")),
    moment: fc.option(fc.constantFrom("2031-01-01T00:00:00Z", "2031-01-01T05:30:00Z")),
    flag: fc.boolean(),
    sourceID: fc.option(fc.constantFrom("x", "Y")),
  });
  const keys = [
    "id",
    "subject",
    "count",
    "price",
    "ratio",
    "priority",
    "team",
    "team_id",
    "day",
    "moment",
    "flag",
    "sourceID",
    "status",
    "created_at",
  ];
  const sort = fc
    .uniqueArray(fc.constantFrom(...keys), { minLength: 1, maxLength: 3 })
    .chain((names) => fc.tuple(...names.map((each) => fc.constantFrom(each, `-${each}`))))
    .map((names) => names.join(","));
  const links = (reply: Reply) =>
    Object.fromEntries(
      [...(reply.headers.get("Link") ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, address, rel]) => [
        rel,
        address,
      ]),
    );
  const number = (reply: Reply, name: string) => Number(reply.headers.get(`X-Pagination-${name}`));
  const ids = (reply: Reply): number[] => reply.body.map((row: { id: number }) => row.id);
  let series = 0;

  /** Inserts rows in their own series. Uses SQL, because a property test needs many. */
  async function insert(source: string, rows: Record<string, unknown>[]): Promise<number[]> {
    const columns = [
      "subject",
      "count",
      "price",
      "ratio",
      "priority",
      "team_id",
      "day",
      "moment",
      "flag",
      '"sourceID"',
    ];
    const made = await sql<{ id: number }>(
      `INSERT INTO specimens (account_id, source, status, created_at, updated_at, ${columns})
       SELECT 'widget-it', $1, 'registered', '2025-03-03T08:00:00Z', '2025-03-03T08:00:00Z', r.* FROM json_to_recordset($2)
       AS r(subject text, count integer, price numeric, ratio float, priority text, team_id integer, day date, moment timestamptz, flag boolean, "sourceID" text) RETURNING id`,
      [source, JSON.stringify(rows)],
    );
    return made.map(({ id }) => id);
  }

  async function walk(start: Reply, rel: "next" | "prev", between: () => Promise<void>): Promise<Reply[]> {
    const pages = [start];
    for (let address = links(start)[rel]; address !== undefined; address = links(pages.at(-1) as Reply)[rel]) {
      await between();
      const page = await admin.get(address);
      expect([page.status, pages.length < 200]).toEqual([200, true]);
      pages.push(page);
    }
    return pages;
  }

  const story = fc.record({
    rows: fc.array(values, { minLength: 1, maxLength: 14 }),
    passing: fc.array(values, { minLength: 1, maxLength: 6 }),
    sort,
    perPage: fc.integer({ min: 1, max: 5 }),
  });

  test("CV15: without changes, next links count up to the last page and prev links go back over the same pages", async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ rows, sort: order, perPage }) => {
        const source = `walk ${++series}`;
        const made = await insert(source, rows);
        const query = `/specimens?source=${encodeURIComponent(source)}&fields=id&sort=${order}&per_page=${perPage}`;
        const pages = await walk(await admin.get(query), "next", async () => {});
        const total = Math.ceil(made.length / perPage);
        expect(pages.flatMap(ids).sort((a, b) => a - b)).toEqual(made);
        expect(pages.map((page) => number(page, "Current-Page"))).toEqual(pages.map((_, index) => index + 1));
        expect(pages.map((page) => number(page, "Total-Pages"))).toEqual(pages.map(() => total));
        expect([pages.length, number(pages.at(-1) as Reply, "Current-Page")]).toEqual([total, total]);
        expect(new Set(pages.map((page) => number(page, "Total-Entries")))).toEqual(new Set([made.length]));
        const back = await walk(pages.at(-1) as Reply, "prev", async () => {});
        expect(back.map(ids).reverse()).toEqual(pages.map(ids));
        expect(back.map((page) => number(page, "Current-Page")).reverse()).toEqual(pages.map((_, index) => index + 1));
        const byNumber = await Promise.all(pages.map((_, index) => admin.get(`${query}&page=${index + 1}`)));
        expect(byNumber.map(ids)).toEqual(pages.map(ids));
      }),
      { seed: settings.seed, numRuns: 60 },
    );
  });

  test("while other records are inserted and deleted, every record that stays is read exactly once, forward and backward", async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ rows, passing, sort: order, perPage }) => {
        const source = `walk ${++series}`;
        const lasting = new Set(await insert(source, rows));
        let visitors = await insert(source, passing);
        let turn = 0;
        const insertAndDelete = async () => {
          if (++turn > 12) return; // without a limit, inserted records could keep the walk going forever
          if (turn % 2 === 0)
            visitors.push(...(await insert(source, [passing[turn % passing.length] as Record<string, unknown>])));
          else {
            await sql("DELETE FROM specimens WHERE id = $1", [visitors[0] ?? 0]);
            visitors = visitors.slice(1);
          }
        };
        const query = `/specimens?source=${encodeURIComponent(source)}&fields=id&sort=${order}&per_page=${perPage}`;
        const pages = await walk(await admin.get(query), "next", insertAndDelete);
        const met = pages.flatMap(ids).filter((id) => lasting.has(id));
        expect([met.length, new Set(met)]).toEqual([lasting.size, lasting]);
        const last = pages.at(-1) as Reply;
        expect([number(last, "Current-Page"), links(last).next]).toEqual([number(last, "Total-Pages"), undefined]);
        const lastCursor = last.headers.get("X-Pagination-Start-Cursor");
        if (lastCursor === null) return;
        turn = 0;
        const back = (await walk(last, "prev", insertAndDelete)).flatMap(ids).filter((id) => lasting.has(id));
        expect([back.length, new Set(back)]).toEqual([lasting.size, lasting]);
      }),
      { seed: settings.seed, numRuns: 60 },
    );
  });
});
