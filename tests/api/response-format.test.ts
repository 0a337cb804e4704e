import { describe, expect, test } from "vitest";
import { tokenFor } from "../support/seed.ts";
import { type Reply, world } from "../support/world.ts";

// The form of responses and the order of checks: references, data types, accounts and languages.

const { as, base, nobody, sql, url, withToken } = await world();
const admin = as("administrator");
const ids = (reply: Reply) => reply.body.map((row: { id: number }) => row.id);

async function createSpecimen(members: Record<string, unknown>): Promise<number> {
  return (await admin.post("/specimens", { subject: "s", ...members })).body.id;
}

describe("references and data types in responses", () => {
  test("CV10: a reference has sourceID, disabled and account only where they apply, and always nodeID", async () => {
    const { body: team } = await admin.post("/teams", { name: "Referred", sourceID: "T-1" });
    const id = await createSpecimen({ team_id: team.id, owner_id: 5, teams: [team.id] });
    await admin.patch(`/teams/${team.id}`, { disabled: true });
    const { body } = await admin.get(`/specimens/${id}`);
    expect(body.team).toEqual({ id: team.id, name: "Referred", sourceID: "T-1", disabled: true, nodeID: team.nodeID });
    expect(body.teams).toEqual([body.team]);
    expect(body.owner).toEqual({
      id: 5,
      name: "Rita Requester",
      account: { id: "widget", name: "Widget International" },
      nodeID: expect.any(String),
    });
    expect(Buffer.from(body.nodeID, "base64url").toString()).toMatch(new RegExp(`/Specimen/${body.id}$`));
  });

  test("CV7: timestamps have the offset of the caller's time zone, and the same instant for everyone", async () => {
    const id = await createSpecimen({ moment: "2031-07-01T12:00:00Z", goal: "2031-07-01T12:00:00Z" });
    const path = `/specimens/${id}?fields=moment,goal,created_at`;
    expect((await as("specialist").get(path)).body).toMatchObject({
      moment: "2031-07-01T17:30:00+05:30",
      goal: "2031-07-01T17:30:00+05:30",
      created_at: "2025-03-03T13:30:00+05:30",
    });
    expect((await admin.get(path)).body).toMatchObject({
      moment: "2031-07-01T14:00:00+02:00",
      created_at: "2025-03-03T09:00:00+01:00",
    });
  });

  test("an old timestamp keeps its instant, although its zone's offset had seconds", async () => {
    const id = await createSpecimen({ moment: "1900-06-01T00:00:00Z" });
    const { moment } = (await as("specialist").get(`/specimens/${id}`)).body;
    expect(Date.parse(moment)).toBe(Date.parse("1900-06-01T00:00:00Z"));
    expect(moment).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([+-]\d\d:\d\d|Z)$/);
  });

  test("CV7: decimals are written exactly as stored, other values in the form of their type, blanks as null", async () => {
    const id = await createSpecimen({
      price: "87.50",
      ratio: 0.25,
      day: "2031-02-01",
      length: "1:45",
      clock: "24:00",
      zone: "Asia/Calcutta",
      price_currency: "nok",
      goal: "no_target",
    });
    const { text, body } = await admin.get(`/specimens/${id}`);
    expect(text).toContain('"price":87.50,');
    expect(body).toMatchObject({
      ratio: 0.25,
      day: "2031-02-01",
      length: 105,
      clock: "24:00",
      price_currency: "nok",
      goal: "no_target",
      priority: null,
      team: null,
      teams: [],
      attachments: [],
      disabled: false,
    });
    expect(body.zone).toMatch(/^(Chennai|Kolkata|Mumbai|New Delhi)$/);
    expect((await admin.get("/people/3")).text).toContain('"cost_per_hour":87.50,');
  });

  test("CV8: custom fields are an object, and an array for callers that name their account in an alias header", async () => {
    const id = await createSpecimen({ custom_fields: { color: "red", size: null } });
    const path = `/specimens/${id}?fields=custom_fields`;
    const loadCustomFields = async (headers: Record<string, string>) =>
      (await withToken(tokenFor("administrator"), headers).get(path)).body.custom_fields;
    const array = [
      { id: "size", value: null },
      { id: "color", value: "red" },
    ];
    expect(await loadCustomFields({ account: "widget-it" })).toEqual({ color: "red", size: null });
    expect(await loadCustomFields({})).toEqual({ color: "red", size: null });
    for (const alias of ["X-Xurrent-Account", "X-4me-Account"])
      expect(await loadCustomFields({ [alias]: "widget-it" })).toEqual(expect.arrayContaining(array));
    expect(await loadCustomFields({ account: "widget-it", "X-4me-Account": "widget-it" })).toEqual({
      color: "red",
      size: null,
    });
  });
});

describe("accounts", () => {
  test("CV1: the account header selects the account; the first of its names wins; without one the caller's own account is used", async () => {
    const name = async (headers: Record<string, string>) => {
      const { status, body } = await withToken(tokenFor("administrator"), headers).get("/account");
      return status === 200 ? body.id : status;
    };
    expect(await name({})).toBe("widget-it");
    expect(await name({ account: "widget" })).toBe("widget");
    expect(await name({ account: "widget, widget" }), "a repeated header counts once").toBe("widget");
    expect(await name({ Authorization: `bearer ${tokenFor("administrator")}` })).toBe("widget-it");
    expect(await name({ "X-4me-Account": "widget" })).toBe("widget");
    expect(await name({ "X-Xurrent-Account": "widget", "X-4me-Account": "widget-it" })).toBe("widget");
    expect(await name({ account: "widget-it", "X-Xurrent-Account": "nope" })).toBe("widget-it");
    for (const wrong of ["nope", "stranger", "widget-hr"]) expect(await name({ account: wrong }), wrong).toBe(403);
  });

  test("the directory account's people, organizations and sites are visible in its support domains, with their account", async () => {
    const foreign = { id: "widget", name: "Widget International" };
    const { body: rita } = await admin.get("/people/5");
    expect([rita.account, rita.organization.account, rita.site.account]).toEqual([foreign, foreign, foreign]);
    expect((await admin.get("/people/1")).body.account).toBeUndefined();
    const accounts = async (path: string) =>
      [
        ...new Set(
          (await admin.get(`${path}?per_page=100`)).body.map((row: { account?: object }) =>
            JSON.stringify(row.account),
          ),
        ),
      ].sort();
    for (const collection of ["people", "organizations", "sites"]) {
      expect(await accounts(`/${collection}/directory`), collection).toEqual([JSON.stringify(foreign)]);
      if (collection !== "sites") expect(await accounts(`/${collection}/support_domain`)).toEqual([undefined]);
    }
    expect((await as("directoryAdmin").get("/people/5")).body.account).toBeUndefined();
    expect((await as("directoryAdmin").get("/people?name=Ada%20Admin")).body).toEqual([]);
  });

  test("AZ11: a record of the caller's account that the caller may not read returns 403, a foreign account's record 404", async () => {
    const requester = as("requester");
    for (const path of ["/people/1", "/teams/1", "/specimens/1", "/organizations/6"]) {
      if (path === "/specimens/1") await createSpecimen({});
      expect([path, (await requester.get(path)).status]).toEqual([path, 403]);
    }
    expect((await requester.get("/people/5")).status).toBe(200);
    for (const path of ["/people/7", "/teams/3", "/organizations/5", "/people/2000000000"])
      expect((await requester.get(path)).body).toEqual({ message: "Not Found" });
    expect(ids(await as("keyContact").get("/people?sort=id"))).toEqual([3, 4, 6, 9]);
  });
});

describe("language and representation", () => {
  test.each([
    ["nl", "Naam moet opgegeven zijn"],
    ["de", "Name muss ausgefüllt werden"],
    ["fr", "Nom doit être renseigné"],
    ["fr-CA", "Nom doit être renseigné"],
    ["es", "Nombre no puede estar en blanco"],
    ["en-GB", "Name can't be blank"],
    ["xx", "Name can't be blank"],
  ])("CV18: the messages of a 422 are in the header's language: %s", async (language, text) => {
    for (const name of ["language", "X-Xurrent-Language", "X-4me-Language"]) {
      const { body } = await admin.post("/teams", {}, { [name]: language });
      expect(body).toEqual({ message: "Validation Failed", errors: [["name", text]] });
    }
  });

  test("CV18: without a header the person's language is used; labels of enumerations follow it, their values never do", async () => {
    const open = async (reply: Promise<Reply>) =>
      (await reply).body["request.status"].find((choice: { id: string }) => choice.id === "assigned").txt;
    expect(await open(as("requester").get("/enums"))).toBe("Toegewezen");
    expect(await open(as("requester", { language: "de" }).get("/enums"))).toBe("Zugewiesen");
    expect(await open(admin.get("/enums"))).toBe("Assigned");
    expect(await open(nobody.get("/enums?per_page=100"))).toBe("Assigned");
    expect(await open(nobody.get("/enums/nl"))).toBe("Toegewezen");
    const { body } = await admin.get("/enums/fr");
    for (const list of Object.values(body) as object[][])
      for (const choice of list) expect(Object.keys(choice)).toEqual(["id", "txt"]);
    expect(body.language.map((choice: { id: string }) => choice.id)).toContain("sr@latin");
    expect((await admin.get("/specimens?per_page=1", { language: "fr" })).body[0]?.status ?? "registered").toMatch(
      /^[a-z_]+$/,
    );
    expect((await admin.get("/enums/xx")).status).toBe(404);
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["application/json", 200], ["*/*", 200], ["application/*", 200], ["text/html, application/json;q=0.1", 200], ["", 200], ["text/plain", 200], ["text/*", 200],
    ["text/html", 406], ["application/xml", 406], ["application/json;q=0", 406], ["text/csv", 406],
  ])("CV3: Accept: %s returns %i", async (accept, status) => {
    const reply = await admin.get("/teams/1", { Accept: accept });
    expect([reply.status, (await admin.get("/teams/1.json", { Accept: accept })).status]).toEqual([status, 200]);
    expect(reply.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    if (status === 406) expect(reply.body).toEqual({ message: "Not Acceptable" });
  });

  test("pages of the application without a JSON form return 406", async () => {
    for (const path of ["/account/billing", "/enums.html", "/enums.csv"])
      expect(await admin.get(path), path).toMatchObject({ status: 406, body: { message: "Not Acceptable" } });
    expect((await admin.get("/nothing.html")).status).toBe(404);
  });

  test("CO4: GET {base_url} is an empty object, with and without credentials", async () => {
    for (const by of [nobody, admin])
      for (const address of [base, `${base}/`]) {
        const { status, text, headers } = await by.get(address);
        expect([status, text, headers.get("Content-Length")]).toEqual([200, "{}", "2"]);
      }
  });

  test("CO5: /me and /people/me return the calling person, the same record as /people/:id", async () => {
    for (const role of ["administrator", "requester", "specialist"] as const) {
      const { body } = await as(role).get("/me");
      expect([body.name, body.site.id, body.primary_email]).toEqual([
        expect.any(String),
        1,
        expect.stringContaining("@widget.example"),
      ]);
      expect((await as(role).get("/people/me")).body).toEqual(body);
      expect((await as(role).get(`/people/${body.id}`)).body, role).toEqual(body);
    }
    expect((await admin.get("/me?fields=name")).body).toEqual({
      id: 1,
      nodeID: expect.any(String),
      name: "Ada Admin",
      disabled: false,
    });
  });

  test("/account returns the account of the call", async () => {
    const { body } = await admin.get("/account");
    expect(body).toMatchObject({
      id: "widget-it",
      name: "Widget IT",
      url: `${url}/a/widget-it`,
      plan: "premium",
      locale: "en-US",
      time_zone: "Amsterdam",
      time_format_24h: true,
      currency: "eur",
      strong_privacy: false,
      organization: { id: 1 },
      owner: { id: 1 },
      directory_account: { id: "widget", name: "Widget International" },
    });
    expect((await as("requester").get("/account")).status).toBe(200);
  });
});

describe("order of checks", () => {
  test("AZ12: a bad token is rejected with 401 before the path is checked, a missing path with 404 before the scope is checked", async () => {
    for (const by of [nobody, withToken("x".repeat(112)), withToken("short")])
      for (const path of ["/me", "/nothing", "/teams/1", "/teams?per_page=0"])
        expect(await by.get(path)).toMatchObject({ status: 401, body: { message: "Unauthorized" } });
    expect((await nobody.get("/me")).headers.get("WWW-Authenticate")).toBe("Bearer");
    for (const path of ["", "/enums", "/rate_limit"])
      expect((await withToken("x".repeat(112)).get(path)).status).toBe(401);
    const narrow = "n".repeat(112);
    const { hashToken: hashOf } = await import("../../server/oauth/tokens.ts");
    await sql(
      "INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) VALUES ('widget-it', 1, 'personal', 'narrow', $1, $2, now())",
      [hashOf(narrow), JSON.stringify([{ effect: "allow", actions: ["team:Read"], accounts: [] }])],
    );
    const reader = withToken(narrow);
    expect((await reader.get("/nothing")).status).toBe(404);
    expect((await reader.get("/teams/1")).status).toBe(200);
    for (const path of ["/me", "/people/1", "/people/2000000000"])
      expect((await reader.get(path)).status, path).toBe(403);
    expect((await reader.patch("/teams/2000000000", { name: "x" })).status).toBe(403);
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["a missing record before a wrong parameter",   "administrator", "GET",   "/teams/2000000000?fields=bogus", undefined,       404],
    ["a missing record before wrong JSON",          "administrator", "PATCH", "/teams/2000000000",              "{",             404],
    ["a missing record before a wrong value",       "administrator", "PATCH", "/teams/2000000000",              { name: "" },    404],
    ["a missing record before strictness",          "administrator", "PATCH", "/teams/2000000000",              { bogus: 1 },    404],
    ["a missing right before a wrong parameter",    "requester",     "GET",   "/teams?per_page=0",              undefined,       403],
    ["a missing right before wrong JSON",           "specialist",    "POST",  "/sites",                         "{",             403],
    ["a missing right before a wrong value",        "specialist",    "PATCH", "/sites/1",                       { name: "" },    403],
    ["a missing right before a wrong value, again", "specialist",    "POST",  "/sites",                         { name: "" },    403],
  ] as const)("%s", async (_title, role, method, path, body, status) => {
    expect((await as(role).send(method, path, body, { Prefer: "handling=strict" })).status).toBe(status);
  });

  test("every response has the common headers", async () => {
    for (const reply of [
      await admin.get("/teams"),
      await admin.get("/nothing"),
      await nobody.get("/me"),
      await admin.post("/teams", {}),
    ]) {
      expect(reply.headers.get("Cache-Control")).toBe("no-store");
      for (const name of ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"])
        expect(reply.headers.get(name), name).toBeTruthy();
      expect(typeof reply.body.message === "string" || Array.isArray(reply.body)).toBe(true);
    }
  });
});

test("AZ12: the rate limit is checked before the credentials", async () => {
  const limited = await world({ env: { RATE_LIMIT: "2" } });
  expect([(await limited.nobody.get("/me")).status, (await limited.nobody.get("/nothing")).status]).toEqual([401, 401]);
  const { status, body, headers } = await limited.withToken("x".repeat(112)).get("/nothing");
  expect([status, body.message, headers.get("Retry-After")]).toEqual([429, "Too Many Requests", "3600"]);
  expect((await limited.as("administrator").get("/me")).status).toBe(200);
});
