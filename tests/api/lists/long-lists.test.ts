import { beforeAll, describe, expect, test } from "vitest";
import { createJsonLog } from "../../../server/base/log.ts";
import { assembleService } from "../../../server/service.ts";
import { atFileEnd } from "../../support/cleanup.ts";
import { specimenRules, specimens } from "../../support/records/specimen.ts";
import { people, type Role, tokenFor } from "../../support/seed.ts";
import { createClient, world } from "../../support/world.ts";

// Lists that match rows by several conditions, and lists with more rows than are counted on every page (D-507, D-508).

const at = await world({ env: { RATE_LIMIT: "0", RATE_BURST: "0", COST_LIMIT: "0" } });
const sam = at.as("specialist");
const rita = at.as("requester");

type Reply = Awaited<ReturnType<typeof rita.get>>;
const ids = ({ body }: Reply): number[] => (body as { id: number }[]).map(({ id }) => id);
const total = ({ headers }: Reply): number => Number(headers.get("x-pagination-total-entries"));

/** Follows the links and returns the ids of all pages. */
async function walk(client: typeof rita, path: string): Promise<number[]> {
  const found: number[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const page = await client.get(next);
    expect(page.status).toBe(200);
    found.push(...ids(page));
    next = /<[^>]*\/v1([^>]*)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
  }
  return found;
}

/** Reads the pages from last to first and returns their ids. */
async function walkBack(client: typeof rita, path: string, last: Reply): Promise<number[]> {
  const found = ids(last);
  for (let page = last; ids(page).length > 0; ) {
    page = await client.get(`${path}&search_before=${page.headers.get("x-pagination-start-cursor")}`);
    expect(page.status).toBe(200);
    found.unshift(...ids(page));
  }
  return found;
}

const ada = at.as("administrator");
/** Creates a request that the specialist requests for themselves, unless `more` says otherwise. */
async function create(subject: string, more: object = {}): Promise<number> {
  const requesters = { requested_by_id: sams, requested_for_id: sams };
  const note = `About ${subject}`;
  const reply = await ada.post("/requests", { subject, category: "rfi", note, ...requesters, ...more });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id as number;
}
const sams = people.specialist.id;
const ritas = people.requester.id;

describe("a requester can read requests for several reasons", async () => {
  const forHer = await create("for her", { requested_for_id: ritas });
  const byHer = await create("by her", { requested_by_id: ritas });
  const both = await create("both", { requested_by_id: ritas, requested_for_id: ritas });
  const watched = await create("watched and for her", { requested_for_id: ritas });
  const onlyWatched = await create("watched");
  const notHers = await create("not hers");
  for (const id of [watched, onlyWatched]) await sam.post(`/requests/${id}/watches`, { person_id: ritas });
  await sam.patch(`/requests/${both}`, { internal_note: "Not for her" });
  const hers = [forHer, byHer, both, watched, onlyWatched];

  test("each request is listed and counted once, in every order and on every page", async () => {
    const first = await rita.get("/requests?per_page=2");
    expect(total(first)).toBe(hers.length);
    expect(await walk(rita, "/requests?per_page=2&sort=id")).toEqual(hers);
    expect(await walk(rita, "/requests?per_page=2&sort=-id")).toEqual(hers.toReversed());
    expect(await walk(rita, "/requests?per_page=1&sort=subject")).toEqual([both, byHer, forHer, onlyWatched, watched]);
    expect(ids(await rita.get("/requests?per_page=2&page=2&sort=id"))).toEqual([both, watched]);
    const third = await rita.get("/requests?per_page=2&page=3&sort=id");
    expect(ids(third)).toEqual([onlyWatched]);
    const before = third.headers.get("x-pagination-start-cursor");
    expect(ids(await rita.get(`/requests?per_page=2&sort=id&search_before=${before}`))).toEqual([both, watched]);
    expect(ids(await rita.get("/requests?subject=both"))).toEqual([both]);
    expect(await walk(sam, "/requests?per_page=3&sort=id")).toEqual([...hers, notHers]);
  });

  test("lists of notes contain their notes, except internal ones", async () => {
    const loadTexts = async (client: typeof rita) =>
      ((await client.get("/notes?sort=id")).body as { text: string }[]).map(({ text }) => text);
    const about = ["for her", "by her", "both", "watched and for her", "watched"].map((subject) => `About ${subject}`);
    expect(await loadTexts(rita)).toEqual(about);
    expect(await loadTexts(sam)).toEqual([...about, "About not hers", "Not for her"]);
    expect(total(await sam.get("/notes"))).toBe(7);
    expect(((await sam.get("/notes/internal")).body as unknown[]).length).toBe(1);
    expect((await rita.get("/notes/internal")).body).toEqual([]);
    expect((await at.as("stranger").get("/notes")).body).toEqual([]);
  });
});

describe("pages after a cursor", () => {
  // Runs after the tests above, which count all requests.
  beforeAll(async () => {
    for (const [sourceID, impact, category] of [
      ["b", null, "rfi"],
      [null, null, "rfi"],
      ["a", "low", "incident"],
      ["a", "top", "incident"],
      [null, "low", "incident"],
      ["a", null, "rfi"],
    ])
      await create(`by ${sourceID}`, { sourceID, impact, category, source: sourceID === null ? null : "import" });
  });

  // Empty values sort last, or first in descending order. The second key has another direction, or empty values, too.
  test.each([
    ...["sourceID", "-sourceID", "sourceID,-id", "-sourceID,subject", "sourceID,-impact", "-sourceID,impact"],
    ...["completed_at", "-impact,sourceID", "impact,-sourceID,created_at", "team,sourceID", "-team,-sourceID"],
  ])("CV15: no record is lost or repeated in the order of %s, forward and backward", async (sort) => {
    const all = ids(await ada.get(`/requests?per_page=100&sort=${sort}`));
    expect(all.length).toBeGreaterThan(11);
    for (const size of [1, 4]) {
      const path = `/requests?per_page=${size}&sort=${sort}`;
      expect(await walk(ada, path)).toEqual(all);
      const last = await ada.get(`${path}&page=${Math.ceil(all.length / size)}`);
      expect(await walkBack(ada, path, last)).toEqual(all);
    }
  });
});

describe("a list of more than 10,000 records", async () => {
  let series = 0;
  /** Inserts people as if another person had added them before the calls of this test. */
  const addMany = (count: number) =>
    at.sql(
      `INSERT INTO people (account_id, name, primary_email, created_at, updated_at)
SELECT 'widget-it', 'Many ' || n, 'many-' || $2 || '-' || n || '@widget.example', '2025-03-01', '2025-03-01' FROM generate_series(1, $1::integer) n`,
      [count, String(++series)],
    );
  await addMany(10_050);
  const { service: second } = await startSecondProcess();
  const secondUrl = `http://127.0.0.1:${await second.start()}/v1`;
  const createSecondClient = (role: Role) =>
    createClient(secondUrl, { Authorization: `Bearer ${tokenFor(role)}`, account: "widget-it" });
  /** Returns the total, and whether it may be outdated. */
  const readTotal = async (client: typeof rita, path = "/people?per_page=100") => {
    const page = await client.get(path);
    expect(page.status, page.text).toBe(200);
    const age = page.headers.get("x-pagination-total-age");
    if (age !== null) expect(Number(age)).toBeGreaterThanOrEqual(1);
    return [total(page), age === null ? "exact" : "old"];
  };

  /** Counts when all earlier changes are certainly older than the count. */
  const countLater = async (...clients: (typeof rita)[]) => {
    await at.clock.pass(30);
    for (const client of clients) await readTotal(client);
  };

  test("CV15: keeps its total for a while, marks it as old, and counts again when the time is over", async () => {
    await at.clock.pass(30);
    const [counted, first] = (await readTotal(sam)) as [number, string];
    expect(counted).toBeGreaterThan(10_050);
    expect(first).toBe("exact");
    await addMany(3);
    expect(await readTotal(sam)).toEqual([counted, "old"]);
    expect((await sam.get("/people?per_page=100")).headers.get("link")).toContain('rel="next"');
    expect(await readTotal(sam, `/people?per_page=100&page=${Math.ceil((counted + 3) / 100)}`)).toEqual([
      counted + 3,
      "exact",
    ]);
    expect(await readTotal(sam)).toEqual([counted + 3, "old"]);
  });

  test("CV15: includes the caller's own changes immediately in every process; changes by others appear within a minute", async () => {
    const clients = [ada, createSecondClient("administrator")] as const;
    await countLater(...clients);
    await countLater(...clients);
    const [before] = (await readTotal(ada)) as [number, string];
    for (const client of clients) expect(await readTotal(client)).toEqual([before, "old"]);
    const created = await ada.post("/people", { name: "Own", primary_email: "own@widget.example" });
    expect(created.status, created.text).toBe(201);
    for (const client of clients) expect(await readTotal(client)).toEqual([before + 1, "exact"]);
    await countLater(...clients);
    for (const client of clients) expect(await readTotal(client)).toEqual([before + 1, "old"]);
    expect((await clients[1].patch(`/people/${created.body.id}`, { disabled: true })).status).toBe(200);
    for (const client of clients) expect((await readTotal(client))[1]).toBe("exact");
    await countLater(...clients);
    expect((await clients[1].post(`/people/${created.body.id}/trash`)).status).toBe(200);
    for (const client of clients) expect(await readTotal(client)).toEqual([before, "exact"]);
  });

  test("CV15: a caller's own note, which has no audit line, is in the next total of notes", async () => {
    const id = await create("With many notes");
    await at.sql(
      `INSERT INTO notes (account_id, text, person_id, request_id, created_at, updated_at)
SELECT 'widget-it', 'Many', 3, $1, '2025-03-01', '2025-03-01' FROM generate_series(1, 10050)`,
      [id],
    );
    await at.clock.pass(30);
    const [before] = (await readTotal(sam, "/notes")) as [number, string];
    expect(await readTotal(sam, "/notes")).toEqual([before, "old"]);
    expect((await sam.post(`/requests/${id}/notes`, { text: "Mine" })).status).toBe(201);
    expect(await readTotal(sam, "/notes")).toEqual([before + 1, "exact"]);
  });

  test("totalCount in GraphQL is exact", async () => {
    const count = async () =>
      (
        await createClient(at.url, { Authorization: `Bearer ${tokenFor("specialist")}`, account: "widget-it" }).post(
          "/graphql",
          { query: "{ people(first: 1) { totalCount nodes { id } } }" },
        )
      ).body.data.people.totalCount;
    const before = await count();
    await addMany(2);
    expect(await count()).toBe(before + 2);
  });

  test("totals are separate for each reader, and a short list is always counted", async () => {
    expect(total(await rita.get("/people"))).toBe(1);
    expect(total(await at.as("stranger").get("/people"))).toBe(1);
    const named = total(await sam.get("/people?name=Many%201"));
    await addMany(1);
    expect(total(await sam.get("/people?name=Many%201"))).toBe(named + 1);
  });
});

/** Starts another process on the same database, with its own caches. */
async function startSecondProcess() {
  const { configuration } = at.service.api;
  const service = await assembleService({
    ...{ configuration, databaseUrl: at.databaseUrl, clock: at.clock, types: specimens, rules: specimenRules },
    log: createJsonLog((line) => at.log.push(line)),
    connections: { readers: 1, writers: 2, lists: 1 },
  });
  atFileEnd(() => service.stop());
  return { service };
}
