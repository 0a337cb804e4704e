import { describe, expect, test } from "vitest";
import { type Client, type Reply, world } from "../support/world.ts";

const { as, url } = await world();
const admin = as("administrator");
const ids = (reply: Reply) => reply.body.map((row: { id: number }) => row.id);
let series = 0;

/**
 * Creates specimens in their own series, so that tests don't see each other's. Returns their ids and functions that
 * list them.
 */
async function createSpecimens(...bodies: Record<string, unknown>[]) {
  const source = `story ${++series}`;
  const made: number[] = [];
  for (const body of bodies) {
    const { status, body: record, text } = await admin.post("/specimens", { subject: "s", source, ...body });
    if (status !== 200) throw new Error(text);
    made.push(record.id);
  }
  const path = `/specimens?source=${encodeURIComponent(source)}`;
  const findNumbers = async (query: string, by: Client = admin) => {
    const reply = await by.get(`${path}&sort=id&${query}`);
    return reply.status === 200 ? ids(reply).map((id: number) => made.indexOf(id) + 1) : reply.body.message;
  };
  return { made, path, findNumbers, source };
}

describe("field selection", () => {
  test("CV11: a collection shows its default fields, ?fields= replaces them, blanks after commas are ignored", async () => {
    const { path } = await createSpecimens({ team_id: 1 });
    const keys = async (query: string) => Object.keys((await admin.get(`${path}${query}`)).body[0]);
    expect((await keys("")).sort().join()).toBe(
      "created_at,id,moment,nodeID,priority,sourceID,status,subject,team,updated_at",
    );
    expect(await keys("&fields=subject,%20count,nodeID")).toEqual(["id", "nodeID", "subject", "count"]);
    expect((await admin.get("/teams/1?fields=name")).body).toEqual({
      id: 1,
      nodeID: expect.any(String),
      name: "Service Desk",
      disabled: false,
    });
  });

  test("write-only fields and fields declared unselectable can't be selected", async () => {
    const { status, body } = await admin.get("/specimens?fields=subject,secret,long_attachments,nope");
    expect([status, body]).toEqual([400, { message: "Unknown fields: secret, long_attachments, nope" }]);
  });

  test("disabled is added to disabled rows, and always to people, teams and services", async () => {
    const { path } = await createSpecimens({}, { disabled: true });
    const { body } = await admin.get(`${path}&fields=id&sort=id`);
    expect(body.map((row: object) => "disabled" in row)).toEqual([false, true]);
    for (const collection of ["people", "teams", "services"])
      for (const row of (await admin.get(`/${collection}?fields=id`)).body) expect(typeof row.disabled).toBe("boolean");
  });
});

describe("filter syntax", () => {
  const rows = [
    {
      subject: "a,b",
      count: 1,
      price: "87.50",
      flag: true,
      maybe: true,
      priority: "low",
      team_id: 1,
      day: "2031-02-01",
      moment: "2031-02-01T08:00:00Z",
      goal: "2031-02-01T08:00:00Z",
      length: "1:45",
      sourceID: "ABC",
    },
    {
      subject: "<b>",
      count: 2,
      price: "88",
      ratio: 0.5,
      maybe: false,
      priority: "high",
      team_id: 2,
      day: "2031-02-15",
      moment: "2031-02-15T08:00:00Z",
      goal: "best_effort",
      clock: "09:30",
    },
    {
      subject: "A+B",
      count: 3,
      priority: "top",
      day: "2031-02-28",
      moment: "2031-02-28T08:00:00Z",
      goal: "2031-03-01T08:00:00Z",
      zone: "Amsterdam",
    },
    { subject: "ünï", count: -4 },
  ];
  // biome-ignore format: a table keeps its columns
  const cases: [string, number[] | string][] = [
    ["count=2", [2]],                       ["count=!2", [1, 3, 4]],               ["count!=2", [1, 3, 4]],
    ["priority=", [4]],                     ["priority=!", [1, 2, 3]],             ["priority!=", [1, 2, 3]],
    ["count=1,3", [1, 3]],                  ["count=!1,3", [2, 4]],                ["count!=1,3", [2, 4]],
    ["priority=low,top", [1, 3]],           ["priority=!low,top", [2, 4]],         ["team=1,2", [1, 2]],
    ["count=<2", [1, 4]],                   ["count=<=2", [1, 2, 4]],              ["count=>2", [3]],
    ["count=>=2", [2, 3]],                  ["count=>1<3", [2]],                   ["count=>=1<=3", [1, 2, 3]],
    ["count=%3E%3D1%3C%3D3", [1, 2, 3]],    ["count=>-5", [1, 2, 3, 4]],           ["count=>=1&count=<3", [1, 2]],
    ["count=1&count=2", []],                ["count!=1&count!=2", [3, 4]],         ["price=87.5", [1]],
    ["price=>87.50", [2]],                  ["ratio=0.5", [2]],                    ["ratio=", [1, 3, 4]],
    ["team=1", [1]],                        ["team_id=1", [1]],                    ["team_id=!1", [2, 3, 4]],
    ["team=", [3, 4]],                      ["team_id!=", [1, 2]],                 ["flag=yes", [1]],
    ["flag=off", [2, 3, 4]],                ["flag=banana", [2, 3, 4]],            ["maybe=", [3, 4]],
    ["maybe=f", [2]],                       ["maybe=!true", [2, 3, 4]],            ["subject=A%2BB", [3]],
    ["subject=a%2Bb", []],                  ["subject=%C3%BCn%C3%AF", [4]],        ["sourceID=abc", [1]],
    ["sourceID=!abc", [2, 3, 4]],           ["length=105", [1]],                   ["length=1:45", [1]],
    ["zone=Europe/Amsterdam", [3]],         ["clock=09:30", [2]],                  ["day=2031-02-15", [2]],
    ["day=>2031-02-01<2031-02-28", [2]],    ["moment=>=2031-02-15T08:00:00Z", [2, 3]],
    ["moment=2031-02-01T09:00:00%2B01:00", [1]],
    ["moment=2031-02-01T09:00:00+01:00", [1]],          // an unencoded plus sign
    ["moment=2031-02-01T09:00", [1]],                   // no zone: that of the caller, Amsterdam
    ["moment=<2031-02-28T08:00:00Z&moment=>2031-02-01T08:00:00Z", [2]],
    ["goal=best_effort", [2]],              ["goal=!best_effort", [1, 3, 4]],      ["goal=>2031-02-01T08:00:00Z", [3]],
    ["goal=<2032-01-01T00:00:00Z", [1, 3]], ["goal=2031-02-01T08:00:00Z", [1]],
    ["goal=>best_effort", "Invalid value for field 'goal'"],
    ["count=abc", "Invalid value for field 'count'"],             ["count=1.5", "Invalid value for field 'count'"],
    ["count=1e2", "Invalid value for field 'count'"],             ["count=99999999999", "Invalid value for field 'count'"],
    ["priority=bogus", "Invalid value for field 'priority'"],     ["priority=low,bogus", "Invalid value for field 'priority'"],
    ["day=2031-02-30", "Invalid value for field 'day'"],          ["moment=2031", "Invalid value for field 'moment'"],
    ["team=abc", "Invalid value for field 'team'"],               ["team_id=1.5", "Invalid value for field 'team_id'"],
    ["subject=a,b", "Cannot apply the '=' operator to a set of values for field 'subject'"],
    ["flag=true,false", "Cannot filter on a set of values for field 'flag'"],
    ["subject=>a", "Field 'subject' does not support the '=>' operator"],
    ["priority=<=low", "Field 'priority' does not support the '=<=' operator"],
    ["custom_fields=1", "Filtering not allowed on fields: custom_fields"],
    ["owner_id=1&names=x", "Filtering not allowed on fields: owner_id, names"],
    ["team.name=x&nope=1", "Unknown fields: team.name, nope"],
    ["long_attachments=1", "Unknown fields: long_attachments"],   ["constructor=1", "Unknown fields: constructor"],
    ["subject=no%20such%20text%20of%20this%20length", []],        [`sourceID=${"x".repeat(200)}`, []],
    ["count=%ZZ", "The query string is not valid percent-encoded UTF-8"],
  ];
  test("CV12, CO11: every operator works as the table says, for every kind, and invalid values have their messages", async () => {
    const { findNumbers, made } = await createSpecimens(...rows);
    const answers = await Promise.all(cases.map(async ([query]) => [query, await findNumbers(query)] as const));
    expect(answers).toEqual(cases);
    expect(await findNumbers(`ids=${made[0]},${made[1]}`)).toEqual([1, 2]);
    expect(await findNumbers(`id!=${made[0]}`)).toEqual([2, 3, 4]);
    expect(await findNumbers(`id=>${made[1]}`)).toEqual([3, 4]);
  });

  test("a string filter matches the whole value, including blanks", async () => {
    const { findNumbers } = await createSpecimens({ subject: " lead " }, { subject: "lead" });
    expect(await findNumbers("subject=%20lead%20")).toEqual([1]);
    expect(await findNumbers("subject=lead")).toEqual([2]);
    expect(await findNumbers("subject=!%20")).toEqual([1, 2]);
  });

  test("a string filter isn't validated: a text that isn't an email address matches no one", async () => {
    const { status, text } = await admin.get("/people?primary_email=nobody");
    expect([status, text]).toEqual([200, "[]"]);
  });

  test("filters on people are case-sensitive, except email address and support ID, and filters combined with roles", async () => {
    const findNumbers = async (query: string) => ids(await admin.get(`/people?${query}`));
    expect(await findNumbers("primary_email=SAM@widget.example")).toEqual([3]);
    expect(await findNumbers("supportID=s-3")).toEqual([3]);
    expect(await findNumbers("name=sam%20specialist")).toEqual([]);
    expect(await findNumbers("roles=specialist&name=sam%20specialist")).toEqual([3]);
    expect(await findNumbers("roles=specialist,auditor&sort=id")).toEqual([3, 4, 9]);
    expect((await admin.get("/people?roles=bogus")).status).toBe(400);
    expect(ids(await admin.get("/people/all_with_roles?roles=key_contact"))).toEqual([6]);
  });
});

describe("sorting", () => {
  // biome-ignore format: a table keeps its columns
  test.each([
    ["subject",        [2, 4, 1, 3]],   ["-subject",       [3, 1, 4, 2]],   ["priority",       [4, 2, 1, 3]],
    ["-priority",      [3, 1, 2, 4]],   ["team",           [2, 1, 3, 4]],   ["team_id",        [1, 2, 3, 4]],
    ["-team",          [4, 3, 1, 2]],   ["flag,-count",    [3, 2, 4, 1]],   ["-flag,count",    [1, 4, 2, 3]],
    ["price,id",       [2, 1, 3, 4]],   ["day,-id",        [4, 3, 2, 1]],   ["status,subject", [2, 4, 1, 3]],
    ["-id,subject",    [4, 3, 2, 1]],   ["created_at",     [1, 2, 3, 4]],
  ])("CV14: ?sort=%s: enumerations by rank, references by name, nulls last, ties by id", async (sort, expected) => {
    const { path, made } = await createSpecimens(
      { subject: "c", priority: "high", team_id: 1, count: 1, flag: true, price: 10 },
      { subject: "a", priority: "low", team_id: 2, count: 5, price: 9 },
      { subject: "d", count: 9, day: "2031-01-01" },
      { subject: "b", priority: "none", count: 3, day: "2031-01-01" },
    );
    expect(ids(await admin.get(`${path}&sort=${sort}`)).map((id: number) => made.indexOf(id) + 1)).toEqual(expected);
  });

  test("only sortable fields are accepted", async () => {
    const { status, body } = await admin.get("/specimens?sort=id,-long,nope");
    expect([status, body]).toEqual([400, { message: "Sorting not allowed on fields: long, nope" }]);
  });
});

describe("pagination", () => {
  const links = (reply: Reply) =>
    Object.fromEntries(
      (reply.headers.get("Link") ?? "")
        .split(", ")
        .filter(Boolean)
        .map((link) => {
          const [, address, rel] = /^<([^<>,; ]+)>; rel="(\w+)"$/.exec(link) ?? [];
          return [rel, address as string];
        }),
    );
  const numbers = (reply: Reply) =>
    ["Per-Page", "Current-Page", "Total-Pages", "Total-Entries"].map((name) =>
      Number(reply.headers.get(`X-Pagination-${name}`)),
    );

  test("CV15: every page reports its position and links to the others", async () => {
    const { path, made } = await createSpecimens(
      ...Array.from({ length: 5 }, (_, n) => ({ subject: `s${n}`, count: n })),
    );
    const query = `${path}&sort=count,-subject&fields=id,%20count&count=>=0&per_page=2`;
    const first = await admin.get(query);
    expect([ids(first), numbers(first), Object.keys(links(first))]).toEqual([made.slice(0, 2), [2, 1, 3, 5], ["next"]]);
    const second = await admin.get(links(first).next as string);
    expect([ids(second), numbers(second), Object.keys(links(second))]).toEqual([
      made.slice(2, 4),
      [2, 2, 3, 5],
      ["first", "prev", "next"],
    ]);
    const third = await admin.get(links(second).next as string);
    expect([ids(third), numbers(third), Object.keys(links(third))]).toEqual([
      made.slice(4),
      [2, 3, 3, 5],
      ["first", "prev"],
    ]);
    const back = await admin.get(links(third).prev as string);
    expect([back.text, numbers(back)]).toEqual([second.text, [2, 2, 3, 5]]);
    const start = await admin.get(links(back).prev as string);
    expect([start.text, numbers(start), Object.keys(links(start))]).toEqual([first.text, [2, 1, 3, 5], ["next"]]);
    expect((await admin.get(links(third).first as string)).text).toBe(first.text);
    const kept = new URL(links(second).next as string);
    expect([kept.origin, kept.pathname]).toEqual([url, "/v1/specimens"]);
    expect([kept.searchParams.get("sort"), kept.searchParams.get("count"), kept.searchParams.get("per_page")]).toEqual([
      "count,-subject",
      ">=0",
      "2",
    ]);
    expect(links(second).next).not.toMatch(/[,;]/);
  });

  test("a cursor from the headers works in a new query", async () => {
    const { path, made } = await createSpecimens({}, {}, {}, {});
    const { headers } = await admin.get(`${path}&sort=id&per_page=2`);
    const [start, end] = ["Start", "End"].map((which) => headers.get(`X-Pagination-${which}-Cursor`) as string);
    expect(ids(await admin.get(`${path}&sort=id&search_after=${encodeURIComponent(end as string)}`))).toEqual(
      made.slice(2),
    );
    expect(ids(await admin.get(`${path}&sort=id&search_after=${encodeURIComponent(start as string)}`))).toEqual(
      made.slice(1),
    );
    expect(ids(await admin.get(`${path}&sort=id&search_before=${encodeURIComponent(end as string)}`))).toEqual(
      made.slice(0, 1),
    );
  });

  test("page= selects a page by number, and a page past the end is empty", async () => {
    const { path, made } = await createSpecimens({}, {}, {});
    const second = await admin.get(`${path}&sort=id&per_page=2&page=2`);
    expect([ids(second), numbers(second), Object.keys(links(second))]).toEqual([
      made.slice(2),
      [2, 2, 2, 3],
      ["first", "prev"],
    ]);
    const past = await admin.get(`${path}&sort=id&per_page=2&page=9`);
    expect([past.status, past.text, numbers(past)[3], links(past).next]).toEqual([200, "[]", 3, undefined]);
    for (const wrong of ["0", "-1", "x"]) expect((await admin.get(`${path}&page=${wrong}`)).status).toBe(400);
  });

  test("a result that fits on one page has no Link header, and the default page size is twenty", async () => {
    const { path } = await createSpecimens({}, {});
    const reply = await admin.get(path);
    expect([reply.headers.get("Link"), numbers(reply)]).toEqual([null, [20, 1, 1, 2]]);
  });

  const cursor = (place: unknown, offset: unknown = 0) =>
    Buffer.from(JSON.stringify({ offset, cursor: place })).toString("base64url");
  test.each([
    ["id", "garbage"],
    ["id", "e30"],
    ["id", cursor(["x"])],
    ["id", cursor(["1", "2"])],
    ["id", cursor([1])],
    ["id", cursor(["1"], -1)],
    ["id", cursor(["99999999999"])],
    ["subject", cursor(["nul \0", "1"])],
    ["subject", cursor(["lone \ud800", "1"])],
    ["created_at", cursor(["2025-02-31 10:00:00+00", "1"])],
    ["created_at", cursor(["2025-02-01 25:61:61+00", "1"])],
    ["created_at", cursor(["2025-02-01 10:00:00+99", "1"])],
    ["day", cursor(["2025-02-31", "1"])],
    ["ratio", cursor(["1e999", "1"])],
    ["created_at", cursor(["0000-00-00 10:00:00+00", "1"])],
  ])("a cursor that the server didn't create is rejected with 400: sort by %s, %s", async (sort, text) => {
    for (const parameter of ["search_after", "search_before"])
      expect((await admin.get(`/specimens?sort=${sort}&${parameter}=${text}`)).status).toBe(400);
  });
});
