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
async function found(q: string, by: Client = admin, more = ""): Promise<Found[]> {
  const { status, body, text } = await by.get(`/search?per_page=100&q=${encodeURIComponent(q)}${more}`);
  if (status !== 200) throw new Error(text);
  return body;
}
const named = (list: Found[]) => list.map(({ type, id }) => `${type} ${id}`);
async function request(subject: string, members: Record<string, unknown> = {}, by: Client = admin): Promise<number> {
  const { body, text } = await by.post("/requests", { category: "other", subject, ...members });
  if (body.id === undefined) throw new Error(text);
  return body.id;
}

describe("what is found", () => {
  test("a request by words of its subject, with its type, address and highlights", async () => {
    const id = await request("Tangerine scanner <b>broken</b>", { note: "It smells of burnt **tangerine** & more." });
    expect(await found("tangerine scanner")).toEqual([
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

  test("a record by every number that the interface shows for it", async () => {
    const numbered = listSearchableTypes(types).filter(({ name }) => ["request", ...prefixed].includes(name));
    expect(numbered.map(({ name }) => name).toSorted()).toEqual(["request", ...prefixed].toSorted());
    for (const type of numbered) {
      const { id } = await bodies.make(type);
      const prefix = workIdPrefixes[type.name] ?? "";
      const written = [`${prefix}${id}`, `${prefix.toLowerCase()}${id}`, `${prefix.replace("-", "")}${id}`];
      for (const text of [...written, `#${id}`, String(id)])
        expect(named(await found(text)), text).toContain(`${type.scopeName} ${id}`);
      // A prefix names a type: other records with the same number are no answer.
      if (prefix !== "") expect(named(await found(`${prefix}${id}`))).toEqual([`${type.scopeName} ${id}`]);
      expect(named(await found(`${prefix}${id}`, as("stranger")))).not.toContain(`${type.scopeName} ${id}`);
    }
  });

  test("every type that says it is searchable, by each of its fields", async () => {
    for (const type of listSearchableTypes(types).filter(({ storage }) => !storage.journal)) {
      for (const [index, name] of type.searchable.entries()) {
        const word = `zz${type.collection.replaceAll("_", "")}q${index}`;
        const { id } = await bodies.make(type);
        await sql(`UPDATE ${type.table} SET "${type.columns.get(name)}" = $1 WHERE id = $2`, [`Some ${word}`, id]);
        const [one, ...others] = await found(word);
        expect({ type: one?.type, id: one?.id, others }, `${type.name}.${name}`).toEqual({
          type: type.scopeName,
          id,
          others: [],
        });
      }
    }
  });

  test("CV31: blanks mean and, bars mean or, the last word may be unfinished, accents and case do not count", async () => {
    const [one, other] = [await request("Mirabelle café"), await request("Quince mirabelle")];
    expect(named(await found("mirabelle quince"))).toEqual([`request ${other}`]);
    expect(named(await found("cafe|quince")).sort()).toEqual([`request ${one}`, `request ${other}`].sort());
    expect(named(await found("MIRAB caf"))).toEqual([]);
    expect(named(await found("MIRABELLE CÁF"))).toEqual([`request ${one}`]);
    expect((await found("cafe"))[0]?.highlights.title).toBe("Mirabelle <em>café</em>");
    expect(await found("mirabelle quince café")).toEqual([]);
  });

  test("a request by its notes; an internal one only by those who may read it", async () => {
    const id = await request("Something dull", { requested_for_id: 5 });
    await admin.post(`/requests/${id}/notes`, { text: "The persimmon is in the post." });
    await admin.post(`/requests/${id}/notes`, { text: "Secretly a loquat.", internal: true });
    const requester = as("requester");
    expect(named(await found("persimmon", requester))).toEqual([`request ${id}`]);
    expect((await found("persimmon", requester))[0]?.highlights.details).toBe("The <em>persimmon</em> is in the post.");
    expect(named(await found("loquat"))).toEqual([`request ${id}`]);
    expect(named(await found("loquat", as("specialist")))).toEqual([`request ${id}`]);
    expect(await found("loquat", requester)).toEqual([]);
    expect((await found("dull", requester))[0]?.details).toBe("The persimmon is in the post.");
    expect((await found("dull"))[0]?.details).toBe("Secretly a loquat.");
  });

  test("a record by its number, before those that have the number in their words", async () => {
    const id = await request("Rambutan");
    const later = await request(`See rambutan ${id}`);
    expect(named(await found(String(id), admin, "&types=request"))).toEqual([`request ${id}`, `request ${later}`]);
  });

  test("nothing that is archived or trashed", async () => {
    const id = await request("Feijoa", { status: "completed", team_id: 1, member_id: 3 });
    expect(named(await found("feijoa"))).toEqual([`request ${id}`]);
    expect((await admin.post(`/requests/${id}/archive`)).status).toBe(200);
    expect(await found("feijoa")).toEqual([]);
  });

  test("texts that are longer than anything somebody looks for are kept, and found by their words", async () => {
    const runs = `pomelo ${"x".repeat(2040)} ${"é".repeat(3000)} longan`;
    const many = Array.from({ length: 12_000 }, (_, index) => index.toString(36)).join(" ");
    for (const note of [runs, many, `jujube ${"\u{1F34B}".repeat(9000)}`]) {
      const id = await request("Long", { note });
      const [first = ""] = note.split(" ");
      expect(named(await found(first, admin, "&types=request"))).toContain(`request ${id}`);
    }
    expect(await found("pomelo longan")).toHaveLength(1);
  });

  test("a long note is shown around the word", async () => {
    const id = await request("Long", { note: `${"blah ".repeat(200)}carambola${" blah".repeat(200)}` });
    const [one] = await found("carambola");
    expect(one).toMatchObject({ id });
    expect(one?.details?.length).toBeLessThan(310);
    expect(one?.highlights.details).toContain("<em>carambola</em>");
  });
});

describe("for whom", () => {
  test("a stranger finds nothing of any type, and no note", async () => {
    for (const type of listSearchableTypes(types).filter(({ storage }) => !storage.journal)) {
      const word = `alien${type.collection.replaceAll("_", "")}`;
      const { id } = await bodies.make(type);
      await sql(`UPDATE ${type.table} SET "${type.columns.get(type.searchable[0] as string)}" = $1 WHERE id = $2`, [
        word,
        id,
      ]);
      expect(named(await found(word)), type.name).toEqual([`${type.scopeName} ${id}`]);
      expect(await found(word, as("stranger")), type.name).toEqual([]);
      expect(await found(String(id), as("stranger"), `&types=${type.scopeName}`), type.name).toEqual([]);
    }
    await request("Nothing strange", { note: "alienremark" });
    expect(await found("alienremark")).toHaveLength(1);
    expect(await found("alienremark", as("stranger"))).toEqual([]);
    // The mark of an account is no word that can be looked for.
    for (const q of ["@widget-it", "'@widget-it'", "@widget-it:*", "x' | '@widget-it"])
      expect(
        (await found(q, as("stranger"))).filter(({ title }) => !/strange|stella/i.test(title)),
        q,
      ).toEqual([]);
  });

  test("a requester finds own requests, and those of others only when they may be read", async () => {
    const own = await request("Kumquat one", { requested_for_id: 5 });
    const foreign = await request("Kumquat two");
    expect(named(await found("kumquat", as("requester")))).toEqual([`request ${own}`]);
    expect(named(await found("kumquat", as("specialist"))).sort()).toEqual(
      [`request ${foreign}`, `request ${own}`].sort(),
    );
  });

  test("people and organizations of the directory are found in its support domains", async () => {
    expect(named(await found("rita"))).toEqual(["person 5"]);
    expect((await found("rita"))[0]).toMatchObject({ title: "Rita Requester" });
    expect(named(await found("widget sales"))).toEqual(["organization 3"]);
    expect(await found("rita", as("requester", { account: "widget" }))).toHaveLength(1);
    expect(await found("sam", as("requester"))).toEqual([]);
  });

  test("CV31: a token finds what its scopes let it read", async () => {
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
    expect(await found("soursop", narrow)).toEqual([]);
    expect(named(await found("rita", narrow))).toEqual(["person 5"]);
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

  test("everybody finds what a look at each record would show, and nothing else", async () => {
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
        const got = (await found(word, as(role), "&types=request")).map(({ id }) => id);
        expect(
          got.sort((a, b) => a - b),
          `${role} ${word}`,
        ).toEqual(wanted.sort((a, b) => a - b));
      }
      for (const id of ids)
        expect(
          (await found(String(id), as(role), "&types=request")).some((one) => one.id === id),
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
  test("pages by cursor and by number, with totals", async () => {
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

  test("sorts by relevance, or the newest first; confined to some types", async () => {
    const note = await request("Irrelevant", { note: "salak salak salak" });
    const best = await request("Salak");
    const long = await request("Salak and very many other words that nobody asked for in this subject of a request");
    await bodies.make(types.get("workflow"), { subject: "Salak workflow" });
    expect((await found("salak", admin, "&types=request")).map(({ id }) => id)).toEqual([best, long, note]);
    expect((await found("salak", admin, "&types=request&sort=created_at")).map(({ id }) => id).sort()).toEqual(
      [note, best, long].sort(),
    );
    expect((await found("salak", admin, "&types=workflow,problem")).map(({ type }) => type)).toEqual(["workflow"]);
  });

  test("says what is wrong", async () => {
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
    expect(await found("!!!")).toEqual([]);
  });
});

// Last: in so many requests every search costs more.

/** Many requests for a person, each with a note. */
async function manyFor(person: number, count: number, subject: string, text: string): Promise<number[]> {
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
  test("CV16: who may see a few hundred or thousand requests finds the newest and the rarest of them", async () => {
    const requester = as("requester");
    for (const [count, word] of [
      [300, "sapodilla"],
      [3100, "ackee"],
    ] as const) {
      const ids = await manyFor(5, count, `Common ${word}`, `A remark of ${word} remarks`);
      await manyFor(4, 20, `Common ${word}`, `A remark of ${word} remarks`);
      const newest = ids.slice(-200).reverse();
      const { body, headers } = await requester.get(`/search?per_page=100&q=common+${word}`);
      expect(body.map(({ id }: Found) => id)).toEqual(newest.slice(0, 100));
      expect(headers.get("X-Pagination-Total-Entries")).toBe("200");
      expect(headers.get("X-Pagination-Throttled")).not.toBeNull();
      expect((await found(`${word} rema`, requester)).map(({ id }) => id)).toEqual(ids.slice(-50).reverse());
      const [first] = ids as [number];
      await admin.post(`/requests/${first}/notes`, { text: `Only here is a rare${word}` });
      expect(named(await found(`rare${word}`, requester))).toEqual([`request ${first}`]);
      expect(named(await found(`rare${word}`, as("specialist")))).toEqual([`request ${first}`]);
    }
  });

  test("the newest blocks of ids are looked through first, then all others", async () => {
    const old = await request("Medlar of old", { note: "a medlar remark" });
    const [{ last } = { last: 0 }] = await sql<{ last: number }>("SELECT max(id) AS last FROM requests");
    await sql("SELECT setval('requests_id_seq', $1), setval('notes_id_seq', $1)", [last + 300_000]);
    const recent = await request("Medlar of today");
    expect((await found("medlar")).map(({ id }) => id).sort()).toEqual([old, recent].sort());
    expect(named(await found("old medl"))).toEqual([`request ${old}`]);
    expect(named(await found("medlar rem"))).toEqual([`request ${old}`]);
  });
});
