import { beforeAll, describe, expect, test } from "vitest";
import { randomNumbers } from "../support/random.ts";
import { atScale } from "../support/scale.ts";
import type { Role } from "../support/seed.ts";
import { loggedErrors, type Reply, world } from "../support/world.ts";

// GET /<collection>/summary: counts and measures per group, each with the query of its list (D-427, D-428).

const { as, sql, log } = await world();
const random = randomNumbers("summaries");
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

type Group = {
  [field: string]: unknown;
  count: number;
  value: number | null;
  query: string | null;
  part?: { count: number; query: string };
};

const readTotal = (reply: Reply): number => Number(reply.headers.get("X-Pagination-Total-Entries"));
/** Returns the number of records in a group's list. */
async function countList(role: Role, collection: string, query: string): Promise<number> {
  const reply = await as(role).get(`/${collection}?${query}&per_page=1&fields=id`);
  expect([reply.status, query]).toEqual([200, query]);
  return readTotal(reply);
}
const summary = async (role: Role, path: string): Promise<{ groups: Group[]; total: Group; more: boolean }> => {
  const { status, body, text } = await as(role).get(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return body;
};

const requests = 60;
const hour = 3_600_000;
const start = Date.parse("2025-01-30T22:00:00Z");

beforeAll(async () => {
  const admin = as("administrator");
  for (let at = 0; at < requests; at++) {
    const reply = await admin.post("/requests", {
      subject: `Summary ${at % 7}`,
      category: pick(["incident", "rfc", "rfi"]),
      ...(random() < 0.7 ? { team_id: pick([1, 2]) } : {}),
      requested_by_id: pick([1, 3, 5, 9]),
      requested_for_id: pick([1, 3, 5, 9]),
      source: pick(["Mail", "mail", "a,b", "!no", "phone"]),
    });
    if (reply.status !== 201) throw new Error(reply.text);
    // Sets timestamps in the past, which HTTP doesn't allow.
    const created = new Date(start + random() * 40 * 24 * hour);
    const isDone = random() < 0.6;
    const done = new Date(created.getTime() + random() * 90 * hour);
    await sql(
      `UPDATE requests SET created_at = $2, completed_at = $3, status = $4, completion_reason = $5, resolution_target_at = $6,
        satisfaction = $7, assignment_count = $8, resolution_duration = $9, impact = $10, urgent = $11 WHERE id = $1`,
      [
        reply.body.id,
        created,
        isDone ? done : null,
        isDone ? "completed" : pick(["assigned", "in_progress"]),
        isDone ? pick(["solved", "withdrawn"]) : null,
        random() < 0.7 ? new Date(created.getTime() + random() * 60 * hour) : null,
        isDone && random() < 0.5 ? pick(["satisfied", "dissatisfied"]) : null,
        Math.floor(random() * 3),
        isDone ? Math.round((done.getTime() - created.getTime()) / 60_000) : null,
        pick(["low", "high", null]),
        random() < 0.3,
      ],
    );
  }
}, 120_000);

const fields = ["team", "member", "category", "status", "impact", "urgent", "requested_for", "source", "satisfaction"];
const moments = ["created_at", "completed_at"];
// biome-ignore format: one row per filter
const filters = [
  "state=open", "state=completed", "team=1", "team=", "team!=2", "category=incident,rfc", "status=!completed", "impact=",
  "targets=met", "targets=missed,due", "satisfaction=!", "assignment_count=%3C%3D1", "source=mail", "urgent=true",
  "created_at=%3E%3D2025-02-03T10%3A00%3A00%3C2025-02-20T00%3A00%3A00", "completed_at=%3E2025-02-05T00%3A00%3A00", "q=summary",
];
const measures = [
  "",
  "median:resolution_duration",
  "average:assignment_count",
  "sum:assignment_count",
  "share:targets_met",
  "share:satisfied",
  "share:first_team_solved",
];

function buildQuestion(): string {
  const wanted = Array.from({ length: Math.floor(random() * 3) }, () => pick(filters));
  // A list has at most one predefined filter.
  const chosen = new Set(wanted.filter((filter, at) => at === 0 || !filter.startsWith("state=")));
  const byMoment = random() < 0.4;
  const by = byMoment ? pick(moments) : pick(fields);
  const thenBy = random() < 0.3 ? pick(fields.filter((name) => name !== by)) : null;
  const periods =
    random() < 0.7
      ? `every=${pick(["day", "week", "month"])}`
      : "bounds=2025-02-03T00:00:00,2025-02-10T12:30:00,2025-03-01T00:00:00";
  const measure = pick(measures);
  return [
    `by=${by}`,
    ...(thenBy === null ? [] : [`then_by=${thenBy}`]),
    ...(byMoment ? [periods] : []),
    ...(measure === "" ? [] : [`measure=${measure}`]),
    ...chosen,
  ].join("&");
}

describe("figures and their lists", () => {
  test("every group counts exactly the records that its query lists, for every caller", async () => {
    for (let run = 0; run < atScale(25, 400); run++) {
      const role = pick<Role>(["administrator", "specialist", "auditor", "requester", "manager"]);
      const question = buildQuestion();
      const { groups, total } = await summary(role, `/requests/summary?${question}`);
      const context = { role, question };
      expect({ ...context, sum: groups.reduce((sum, { count }) => sum + count, 0) }).toEqual({
        ...context,
        sum: total.count,
      });
      const shown = groups.length <= 6 ? groups : Array.from({ length: 6 }, () => pick(groups));
      for (const { query, count, part } of [total, ...shown]) {
        if (query === null) continue;
        expect({ ...context, query, count: await countList(role, "requests", query) }).toEqual({
          ...context,
          query,
          count,
        });
        if (part !== undefined)
          expect({ ...context, part: await countList(role, "requests", part.query) }).toEqual({
            ...context,
            part: part.count,
          });
      }
    }
  }, 120_000);

  test("a group has no query only if the filter syntax would misread its value", async () => {
    const { groups } = await summary("administrator", "/requests/summary?by=source&source=!");
    const without = groups.filter(({ query }) => query === null).map(({ source }) => source);
    expect(without.sort()).toEqual(["!no", "a,b"]);
  });

  test("measures match the records", async () => {
    const [row] = await sql<Record<string, number>>(
      `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY resolution_duration)::integer AS median, sum(assignment_count)::integer AS sum,
        round(avg(assignment_count), 4)::float AS average,
        round(count(*) FILTER (WHERE completed_at <= resolution_target_at)::numeric
          / nullif(count(*) FILTER (WHERE resolution_target_at < coalesce(completed_at, '2025-03-03T08:00:00Z') OR completed_at <= resolution_target_at), 0), 4)::float AS met
       FROM requests WHERE account_id = 'widget-it'`,
    );
    const value = async (measure: string) =>
      (await summary("administrator", `/requests/summary?measure=${measure}`)).total.value;
    expect(await value("median:resolution_duration")).toBe(row?.median);
    expect(await value("sum:assignment_count")).toBe(row?.sum);
    expect(await value("average:assignment_count")).toBe(row?.average);
    expect(await value("share:targets_met")).toBe(row?.met);
  });

  test("days begin at midnight in the reader's time zone", async () => {
    const days = async (role: Role) =>
      (await summary(role, "/requests/summary?by=created_at&every=day")).groups.map(
        ({ created_at }) => (created_at as { from: string }).from,
      );
    expect((await days("administrator")).every((from) => /T00:00:00\+0[12]:00$/.test(from))).toBe(true);
    expect((await days("specialist")).every((from) => from.endsWith("T00:00:00+05:30"))).toBe(true);
  });

  test("every collection with an uncapped list can be counted, by each field in the document", async () => {
    const { body: document } = await as("administrator").get("/openapi.json");
    const paths = Object.keys(document.paths).filter((path) => /^\/\w+\/summary$/.test(path));
    expect(paths.length).toBeGreaterThan(60);
    for (const path of paths) {
      const { parameters } = document.paths[path].get;
      const find = (name: string) => parameters.find((parameter: { name?: string }) => parameter.name === name);
      const by = pick<string>(find("by").schema.enum);
      const measure = pick<string>(find("measure").schema.enum);
      const { status, body } = await as("administrator").get(`${path}?by=${by}&measure=${measure}`);
      const periods = await as("administrator").get(`${path}?by=${by}&measure=${measure}&every=week`);
      expect([path, by, measure, [status, periods.status].includes(200)]).toEqual([path, by, measure, true]);
      if (status === 200)
        expect(readTotal(await as("administrator").get(`${path.replace("/summary", "")}?${body.total.query}`))).toBe(
          body.total.count,
        );
    }
  });

  test("references have their names, and every group of a matrix has both values", async () => {
    const { groups } = await summary("administrator", "/requests/summary?by=team&then_by=requested_for");
    const [first] = groups.filter(({ team }) => team !== null);
    expect(first).toMatchObject({ team: { id: expect.any(Number), name: expect.any(String) } });
    expect(first).toMatchObject({ requested_for: { id: expect.any(Number), name: expect.any(String) } });
  });

  test("a reference to a record that is stored with its account has its name, too", async () => {
    const admin = as("administrator");
    const [request] = (await admin.get("/requests?per_page=1&fields=id")).body;
    const cause = { subject: "Counted cause", service_id: 1, team_id: 1 };
    const { body: problem } = await admin.post("/problems", cause);
    expect((await admin.patch(`/requests/${request.id}`, { problem_id: problem.id })).status).toBe(200);
    const { groups } = await summary("administrator", "/requests/summary?by=problem&then_by=status");
    expect(groups.filter((group) => group.problem !== null)).toMatchObject([
      { problem: { id: problem.id, subject: "Counted cause" }, count: 1 },
    ]);
  });
});

describe("rights", () => {
  test("summaries count only records that the caller's list shows", async () => {
    const all = (await summary("administrator", "/requests/summary?by=team")).total.count;
    const own = await summary("requester", "/requests/summary?by=requested_for");
    expect(own.total.count).toBe(await countList("requester", "requests", ""));
    expect(own.total.count).toBeLessThan(all);
    for (const role of ["stranger", "provider"] as const)
      expect((await summary(role, "/requests/summary?by=status")).total.count).toBe(0);
  });

  test("a type that the caller may not read has no summary", async () => {
    expect((await as("requester").get("/time_entries/summary")).status).toBe(
      (await as("requester").get("/time_entries")).status,
    );
    expect((await as("requester").get("/automation_rules/summary?by=created_at&every=day")).status).toBe(
      (await as("requester").get("/automation_rules")).status,
    );
  });

  test("confidential fields can't be grouped by or measured", async () => {
    expect((await as("specialist").get("/time_entries/summary?measure=sum:cost")).status).toBe(400);
    expect((await as("administrator").get("/time_entries/summary?measure=sum:cost")).status).toBe(200);
  });
});

describe("invalid parameters", () => {
  // biome-ignore format: one row per question
  test.each([
    ["by=nothing", "Unknown fields: nothing"],
    ["by=subject_id", "Unknown fields: subject_id"],
    ["by=requested_by_id&then_by=requested_by", "Parameters 'by' and 'then_by' name the same field"],
    ["by=next_target_at", "Grouping not allowed on fields: next_target_at"],
    ["by=created_at", "Give one of 'every' and 'bounds' to group by a date or time"],
    ["by=created_at&every=year", "Parameter 'every' must be one of day, week, month"],
    ["by=created_at&bounds=2025-03-01T00:00:00,2025-02-01T00:00:00", "Parameter 'bounds' must ascend"],
    ["by=created_at&bounds=now", "Invalid value for parameter 'bounds'"],
    ["by=status&every=day", "Parameters 'every' and 'bounds' need a date or time to group by"],
    ["then_by=status", "Parameter 'then_by' needs 'by'"],
    ["measure=sum:subject", "Unknown measure: sum:subject"],
    ["measure=share:constructor", "Unknown measure: share:constructor"],
    ["targets=soon", "Invalid value for field 'targets'"],
    ["by=created_at&every=day&then_by=completed_at", "Only one of 'by' and 'then_by' can be a date or time"],
  ])("%s", async (question, message) => {
    const { status, body } = await as("administrator").get(`/requests/summary?${question}`);
    expect([status, body.message]).toEqual([400, message]);
  });

  test("no call caused a server error", () => expect(loggedErrors(log)).toEqual([]));
});
