import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { workIdPrefixes } from "../../records/work/work-ids.ts";
import { listSearchableTypes } from "../../server/engine/search/sources.ts";
import { seedFor } from "../support/random.ts";
import { RequestBodies } from "../support/records/request-bodies.ts";
import type { Role } from "../support/seed.ts";
import { type Client, world } from "../support/world.ts";

// CV31

const { as, sql, service, withToken, base } = await world();
const admin = as("administrator");
const { types } = service.engine;
const prefixed = Object.keys(workIdPrefixes);
const bodies = new RequestBodies(admin, types);

type Found = {
  id: number;
  type: string;
  title: string;
  details?: string;
  highlights: { title: string; details?: string };
  url: string;
};
async function search(q: string, by: Client = admin, more = ""): Promise<Found[]> {
  const { status, body, text } = await by.get(`/search?per_page=100&q=${encodeURIComponent(q)}${more}`);
  if (status !== 200) throw new Error(text);
  return body;
}
const listNames = (list: Found[]) => list.map(({ type, id }) => `${type} ${id}`);
async function request(subject: string, members: Record<string, unknown> = {}, by: Client = admin): Promise<number> {
  const { body, text } = await by.post("/requests", { category: "other", subject, ...members });
  if (body.id === undefined) throw new Error(text);
  return body.id;
}

describe("matches", () => {
  test("finds a request by words of its subject, with its type, address and highlights", async () => {
    const id = await request("Tangerine scanner <b>broken</b>", { note: "It smells of burnt **tangerine** & more." });
    expect(await search("tangerine scanner")).toEqual([
      {
        id,
        type: "request",
        title: "Tangerine scanner <b>broken</b>",
        details: "It smells of burnt **tangerine** & more.",
        highlights: {
          title: "<em>Tangerine</em> <em>scanner</em> &lt;b&gt;broken&lt;/b&gt;",
          details: "It smells of burnt **<em>tangerine</em>** &amp; more.",
        },
        url: `${base}/requests/${id}`,
      },
    ]);
  });

  test("finds a record by every number that the interface shows for it", async () => {
    const typesWithNumbers = listSearchableTypes(types).filter(({ name }) => ["request", ...prefixed].includes(name));
    expect(typesWithNumbers.map(({ name }) => name).toSorted()).toEqual(["request", ...prefixed].toSorted());
    for (const type of typesWithNumbers) {
      const { id } = await bodies.make(type);
      const prefix = workIdPrefixes[type.name] ?? "";
      const written = [`${prefix}${id}`, `${prefix.toLowerCase()}${id}`, `${prefix.replace("-", "")}${id}`];
      for (const text of [...written, `#${id}`, String(id)])
        expect(listNames(await search(text)), text).toContain(`${type.scopeName} ${id}`);
      // A prefix names a type, so other records with the same number don't match.
      if (prefix !== "") expect(listNames(await search(`${prefix}${id}`))).toEqual([`${type.scopeName} ${id}`]);
      expect(listNames(await search(`${prefix}${id}`, as("stranger")))).not.toContain(`${type.scopeName} ${id}`);
    }
  });

  test("finds every searchable type by each of its fields", async () => {
    for (const type of listSearchableTypes(types).filter(({ storage }) => !storage.journal)) {
      for (const [index, name] of type.searchable.entries()) {
        const word = `zz${type.collection.replaceAll("_", "")}q${index}`;
        const { id } = await bodies.make(type);
        await sql(`UPDATE ${type.table} SET "${type.columns.get(name)}" = $1 WHERE id = $2`, [`Some ${word}`, id]);
        const [one, ...others] = await search(word);
        expect({ type: one?.type, id: one?.id, others }, `${type.name}.${name}`).toEqual({
          type: type.scopeName,
          id,
          others: [],
        });
      }
    }
  });

  test("CV31: blanks mean and, bars mean or, the last word may be a prefix, accents and case are ignored", async () => {
    const [one, other] = [await request("Mirabelle café"), await request("Quince mirabelle")];
    expect(listNames(await search("mirabelle quince"))).toEqual([`request ${other}`]);
    expect(listNames(await search("cafe|quince")).sort()).toEqual([`request ${one}`, `request ${other}`].sort());
    expect(listNames(await search("MIRAB caf"))).toEqual([]);
    expect(listNames(await search("MIRABELLE CÁF"))).toEqual([`request ${one}`]);
    expect((await search("cafe"))[0]?.highlights.title).toBe("Mirabelle <em>café</em>");
    expect(await search("mirabelle quince café")).toEqual([]);
  });

  test("finds a request by its notes, and by internal notes only for people who may read them", async () => {
    const id = await request("Something dull", { requested_for_id: 5 });
    await admin.post(`/requests/${id}/notes`, { text: "The persimmon is in the post." });
    await admin.post(`/requests/${id}/notes`, { text: "Secretly a loquat.", internal: true });
    const requester = as("requester");
    expect(listNames(await search("persimmon", requester))).toEqual([`request ${id}`]);
    expect((await search("persimmon", requester))[0]?.highlights.details).toBe(
      "The <em>persimmon</em> is in the post.",
    );
    expect(listNames(await search("loquat"))).toEqual([`request ${id}`]);
    expect(listNames(await search("loquat", as("specialist")))).toEqual([`request ${id}`]);
    expect(await search("loquat", requester)).toEqual([]);
    expect((await search("dull", requester))[0]?.details).toBe("The persimmon is in the post.");
    expect((await search("dull"))[0]?.details).toBe("Secretly a loquat.");
  });

  test("finds a record by its number, and lists it before records with the number in their text", async () => {
    const id = await request("Rambutan");
    const later = await request(`See rambutan ${id}`);
    expect(listNames(await search(String(id), admin, "&types=request"))).toEqual([`request ${id}`, `request ${later}`]);
  });

  test("finds no archived or trashed records", async () => {
    const id = await request("Feijoa", { status: "completed", team_id: 1, member_id: 3 });
    expect(listNames(await search("feijoa"))).toEqual([`request ${id}`]);
    expect((await admin.post(`/requests/${id}/archive`)).status).toBe(200);
    expect(await search("feijoa")).toEqual([]);
  });

  test("stores texts longer than any search term, and finds them by their words", async () => {
    const runs = `pomelo ${"x".repeat(2040)} ${"é".repeat(3000)} longan`;
    const many = Array.from({ length: 12_000 }, (_, index) => index.toString(36)).join(" ");
    for (const note of [runs, many, `jujube ${"\u{1F34B}".repeat(9000)}`]) {
      const id = await request("Long", { note });
      const [first = ""] = note.split(" ");
      expect(listNames(await search(first, admin, "&types=request"))).toContain(`request ${id}`);
    }
    expect(await search("pomelo longan")).toHaveLength(1);
  });

  test("shows a long note around the matching word", async () => {
    const id = await request("Long", { note: `${"blah ".repeat(200)}carambola${" blah".repeat(200)}` });
    const [one] = await search("carambola");
    expect(one).toMatchObject({ id });
    expect(one?.details?.length).toBeLessThan(310);
    expect(one?.highlights.details).toContain("<em>carambola</em>");
  });
});

describe("access", () => {
  test("a stranger finds nothing of any type, and no note", async () => {
    for (const type of listSearchableTypes(types).filter(({ storage }) => !storage.journal)) {
      const word = `alien${type.collection.replaceAll("_", "")}`;
      const { id } = await bodies.make(type);
      await sql(`UPDATE ${type.table} SET "${type.columns.get(type.searchable[0] as string)}" = $1 WHERE id = $2`, [
        word,
        id,
      ]);
      expect(listNames(await search(word)), type.name).toEqual([`${type.scopeName} ${id}`]);
      expect(await search(word, as("stranger")), type.name).toEqual([]);
      expect(await search(String(id), as("stranger"), `&types=${type.scopeName}`), type.name).toEqual([]);
    }
    await request("Nothing strange", { note: "alienremark" });
    expect(await search("alienremark")).toHaveLength(1);
    expect(await search("alienremark", as("stranger"))).toEqual([]);
    // The index term that marks an account can't be searched for.
    for (const q of ["@widget-it", "'@widget-it'", "@widget-it:*", "x' | '@widget-it"])
      expect(
        (await search(q, as("stranger"))).filter(({ title }) => !/strange|stella/i.test(title)),
        q,
      ).toEqual([]);
  });

  test("requesters find their own requests, and others' requests only if they may read them", async () => {
    const own = await request("Kumquat one", { requested_for_id: 5 });
    const foreign = await request("Kumquat two");
    expect(listNames(await search("kumquat", as("requester")))).toEqual([`request ${own}`]);
    expect(listNames(await search("kumquat", as("specialist"))).sort()).toEqual(
      [`request ${foreign}`, `request ${own}`].sort(),
    );
  });

  test("the directory account's people and organizations are found in its support domains", async () => {
    expect(listNames(await search("rita"))).toEqual(["person 5"]);
    expect((await search("rita"))[0]).toMatchObject({ title: "Rita Requester" });
    expect(listNames(await search("widget sales"))).toEqual(["organization 3"]);
    expect(await search("rita", as("requester", { account: "widget" }))).toHaveLength(1);
    expect(await search("sam", as("requester"))).toEqual([]);
  });

  test("CV31: a token finds only records that its scopes may read", async () => {
    await request("Soursop");
    const token = "scoped".padEnd(112, "y");
    await sql(
      "INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) SELECT 'widget-it', 1, 'personal', 'narrow', $1, $2, now()",
      [
        (await import("../../server/oauth/tokens.ts")).hashToken(token),
        JSON.stringify([{ effect: "allow", actions: ["person:Read"], accounts: [] }]),
      ],
    );
    const narrow = withToken(token, { account: "widget-it" });
    expect(await search("soursop", narrow)).toEqual([]);
    expect(listNames(await search("rita", narrow))).toEqual(["person 5"]);
  });
});

describe("accounts that share requests", () => {
  const words = ["acerola", "bilimbi", "cupuacu", "damson", "elderberry"];
  const callers: Role[] = [
    "administrator",
    "specialist",
    "requester",
    "keyContact",
    "provider",
    "providerSpecialist",
    "stranger",
  ];
  type Made = { id: number; texts: string };

  test("everyone finds exactly the records that they can read", async () => {
    const provider = as("provider");
    const { body: desk } = await provider.post("/teams", { name: "Search Desk" });
    for (const member of [8, 10]) await provider.post(`/teams/${desk.id}/members/${member}`);
    const some = fc.constantFrom(...words);
    const plan = fc.sample(
      fc.record({
        by: fc.constantFrom<Role>("administrator", "administrator", "provider", "stranger"),
        subject: some,
        note: some,
        internal: some,
        handed: fc.boolean(),
        forRequester: fc.boolean(),
      }),
      { seed: seedFor("search"), numRuns: 25 },
    );
    const ids: number[] = [];
    for (const { by, subject, note, internal, handed, forRequester } of plan) {
      const more =
        by === "administrator"
          ? { ...(handed && { team_id: desk.id }), ...(forRequester && { requested_for_id: 5 }) }
          : {};
      const id = await request(`About ${subject}`, { note: `Said ${note}`, ...more }, as(by));
      await as(by).post(`/requests/${id}/notes`, { text: `Whispered ${internal}`, internal: true });
      if (by === "administrator" && handed)
        await as("providerSpecialist").post(`/requests/${id}/notes`, { text: `Thought ${internal}`, internal: true });
      ids.push(id);
    }
    const load = async (by: Client): Promise<Made[]> => {
      const list: Made[] = [];
      for (const id of ids) {
        const { status, body } = await by.get(`/requests/${id}`);
        if (status !== 200) continue;
        const notes = (await by.get(`/requests/${id}/notes`)).body as { text: string }[];
        list.push({ id, texts: [body.subject, ...notes.map(({ text }) => text)].join("\n") });
      }
      return list;
    };
    const compare = async (role: Role) => {
      const seen = await load(as(role));
      for (const word of words) {
        const wanted = seen.filter(({ texts }) => texts.includes(word)).map(({ id }) => id);
        const got = (await search(word, as(role), "&types=request")).map(({ id }) => id);
        expect(
          got.sort((a, b) => a - b),
          `${role} ${word}`,
        ).toEqual(wanted.sort((a, b) => a - b));
      }
      for (const id of ids)
        expect(
          (await search(String(id), as(role), "&types=request")).some((one) => one.id === id),
          `${role} ${id}`,
        ).toBe(seen.some((one) => one.id === id));
      return seen.length;
    };
    for (const role of callers) await compare(role);
    const atFirst = await compare("providerSpecialist");
    await sql("DELETE FROM account_trusts WHERE account_id = 'widget-it' AND trusted_account_id = 'provider'");
    await sql("NOTIFY access_changed");
    await expect.poll(async () => (await load(as("providerSpecialist"))).length).toBeLessThan(atFirst);
    await compare("providerSpecialist");
  });
});

describe("the list", () => {
  test("is paged by cursor and by number, with totals", async () => {
    const ids = [];
    for (let index = 0; index < 7; index++) ids.push(await request(`Durian ${index}`));
    const seen: number[] = [];
    let path: string | undefined = "/search?q=durian&per_page=3";
    while (path !== undefined) {
      const { status, body, headers } = await admin.get(path);
      expect([status, headers.get("X-Pagination-Total-Entries")]).toEqual([200, "7"]);
      seen.push(...body.map(({ id }: Found) => id));
      path = /<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1];
    }
    expect(seen).toEqual([...ids].reverse());
    expect((await admin.get("/search?q=durian&per_page=3&page=2")).body.map(({ id }: Found) => id)).toEqual(
      seen.slice(3, 6),
    );
    const last = (await admin.get("/search?q=durian&per_page=3&page=3")).headers.get("X-Pagination-Start-Cursor");
    expect(
      (await admin.get(`/search?q=durian&per_page=3&search_before=${last}`)).body.map(({ id }: Found) => id),
    ).toEqual(seen.slice(3, 6));
    expect((await admin.get("/search?q=durian&search_after=x")).status).toBe(400);
  });

  test("is sorted by relevance or by date, and can be limited to some types", async () => {
    const note = await request("Irrelevant", { note: "salak salak salak" });
    const best = await request("Salak");
    const long = await request("Salak and very many other words that nobody asked for in this subject of a request");
    await bodies.make(types.get("workflow"), { subject: "Salak workflow" });
    expect((await search("salak", admin, "&types=request")).map(({ id }) => id)).toEqual([best, long, note]);
    expect((await search("salak", admin, "&types=request&sort=created_at")).map(({ id }) => id).sort()).toEqual(
      [note, best, long].sort(),
    );
    expect((await search("salak", admin, "&types=workflow,problem")).map(({ type }) => type)).toEqual(["workflow"]);
  });

  test("rejects invalid parameters", async () => {
    for (const path of [
      "/search",
      "/search?q=",
      "/search?q=a&types=banana",
      "/search?q=a&sort=name",
      `/search?q=${"a".repeat(256)}`,
    ])
      expect((await admin.get(path)).status, path).toBe(400);
    expect((await as("administrator").get("/search?q=x")).status).toBe(200);
    for (const q of [
      "'",
      "''",
      "\\",
      "a\\",
      "!",
      "&",
      "|",
      "(",
      ":*",
      "a:*",
      "a & !b",
      "<->",
      "a'b",
      "%",
      "🙂",
      "İ",
      "e-mail",
      "http://a/b?c=d",
      "a.b@c.d",
    ])
      expect((await admin.get(`/search?q=${encodeURIComponent(q)}`)).status, q).toBe(200);
    expect(await search("!!!")).toEqual([]);
  });
});

// Runs last, because so many requests slow down every search.

/** Inserts many requests for a person, each with a note. */
async function insertRequests(person: number, count: number, subject: string, text: string): Promise<number[]> {
  const like = await request(subject, { requested_for_id: person, note: text });
  const columns = [...types.get("request").columns.values()].filter((name) => name !== "id").map((name) => `"${name}"`);
  const rows = await sql<{ id: number }>(
    `INSERT INTO requests (account_id, ${columns.join(", ")}) SELECT account_id, ${columns.join(", ")} FROM requests, generate_series(1, $2) WHERE id = $1 RETURNING id`,
    [like, count - 1],
  );
  const ids = [like, ...rows.map(({ id }) => id)];
  await sql(
    `INSERT INTO notes (account_id, text, person_id, internal, author_account_id, medium, request_id, created_at, updated_at)
     SELECT n.account_id, n.text, n.person_id, false, n.author_account_id, n.medium, r.id, n.created_at, n.updated_at FROM notes n, unnest($2::integer[]) r(id) WHERE n.request_id = $1`,
    [like, ids.slice(1)],
  );
  return ids;
}

describe("among many", () => {
  test("CV16: people who may read a few hundred or thousand requests find the newest and the rarest of them", async () => {
    const requester = as("requester");
    for (const [count, word] of [
      [300, "sapodilla"],
      [3100, "ackee"],
    ] as const) {
      const ids = await insertRequests(5, count, `Common ${word}`, `A remark of ${word} remarks`);
      await insertRequests(4, 20, `Common ${word}`, `A remark of ${word} remarks`);
      const newest = ids.slice(-200).reverse();
      const { body, headers } = await requester.get(`/search?per_page=100&q=common+${word}`);
      expect(body.map(({ id }: Found) => id)).toEqual(newest.slice(0, 100));
      expect(headers.get("X-Pagination-Total-Entries")).toBe("200");
      expect(headers.get("X-Pagination-Throttled")).not.toBeNull();
      expect((await search(`${word} rema`, requester)).map(({ id }) => id)).toEqual(ids.slice(-50).reverse());
      const [first] = ids as [number];
      await admin.post(`/requests/${first}/notes`, { text: `Only here is a rare${word}` });
      expect(listNames(await search(`rare${word}`, requester))).toEqual([`request ${first}`]);
      expect(listNames(await search(`rare${word}`, as("specialist")))).toEqual([`request ${first}`]);
    }
  });

  test("the newest blocks of ids are searched first, then all others", async () => {
    const old = await request("Medlar of old", { note: "a medlar remark" });
    const [{ last } = { last: 0 }] = await sql<{ last: number }>("SELECT max(id) AS last FROM requests");
    await sql("SELECT setval('requests_id_seq', $1), setval('notes_id_seq', $1)", [last + 300_000]);
    const recent = await request("Medlar of today");
    expect((await search("medlar")).map(({ id }) => id).sort()).toEqual([old, recent].sort());
    expect(listNames(await search("old medl"))).toEqual([`request ${old}`]);
    expect(listNames(await search("medlar rem"))).toEqual([`request ${old}`]);
  });
});
