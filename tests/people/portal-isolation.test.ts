import { expect, test } from "vitest";
import { graphqlClient } from "../support/clients/graphql-client.ts";
import { randomNumbers } from "../support/random.ts";
import { requestHelpers } from "../support/records/requests.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { atScale } from "../support/scale.ts";
import { type Reply, world } from "../support/world.ts";

// Tests AZ17 with random data: services that cover various people, and for everything that the portal shows, records
// for and not for a person. Every record contains a unique word, so that a response shows which records it reveals.

const here = await world();
const { as } = here;
const { admin, create } = requestHelpers(here);
const agree = serviceAgreements(admin);
const [rita, kim, sam] = [5, 6, 3];
const [sales, department, company] = [3, 2, 1];
const random = randomNumbers("portal isolation");
const flipCoin = (): boolean => random() < 0.5;
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const readers = [
  { person: rita, role: "requester", organizations: [sales, company] },
  { person: kim, role: "keyContact", organizations: [department, company] },
] as const;
type Reader = (typeof readers)[number];

/** A record with the word in its name, and its readers. */
type Planted = { type: string; id: number; word: string; isFor(reader: Reader): boolean };
const planted: Planted[] = [];
/** Every word ends with a letter, so that none is a prefix of another. */
const createWord = () => `mark${planted.length}z`;
const findWords = (text: string): string[] => [...new Set(text.match(/mark\d+z/g) ?? [])];

async function plant(type: string, isFor: Planted["isFor"], create: (name: string) => Promise<{ id: number }>) {
  const mark = createWord();
  const entry = { type, id: 0, word: mark, isFor };
  planted.push(entry);
  entry.id = (await create(`Common ${mark}`)).id;
  return entry;
}

type Covered = { service: Planted; instance: number; offering: number; covers(reader: Reader): boolean };

/**
 * Creates a service with an instance and an offering. Its SLA covers single people, an organization or a site, or has
 * expired.
 */
async function plantService(): Promise<Covered> {
  const coverages: [members: Record<string, unknown>, covers: (reader: Reader) => boolean][] = [
    [{ coverage: "people", person_ids: [rita] }, ({ person }) => person === rita],
    [{ coverage: "people", person_ids: [kim] }, ({ person }) => person === kim],
    [{ coverage: "organizations", organization_ids: [sales] }, ({ person }) => person === rita],
    [{ coverage: "organizations", organization_ids: [company] }, () => false],
    [{ coverage: "organizations_and_descendants", organization_ids: [company] }, () => true],
    [{ coverage: "sites", site_ids: [1] }, () => true],
    [{ coverage: "sites", site_ids: [1], expiry_date: "2025-03-01" }, () => false],
  ];
  const [members, covers] = pick(coverages);
  const service = await plant("service", covers, (name) => agree.service({ name, knowledge_manager_id: 1 }));
  const instance = await plant("service_instance", covers, (name) => agree.instance({ name, service_id: service.id }));
  const offering = await agree.offering({ service_id: service.id });
  const { person_ids = [], organization_ids = [], site_ids = [], ...fields } = members as Record<string, number[]>;
  const sla = await agree.sla({ service_offering_id: offering.id, service_instance_id: instance.id, ...fields });
  const link = (list: string, ids: readonly number[]) =>
    Promise.all(ids.map((id) => admin.post(`/slas/${sla.id}/${list}/${id}`)));
  await Promise.all([link("people", person_ids), link("organizations", organization_ids), link("sites", site_ids)]);
  return { service, instance: instance.id, offering: offering.id, covers };
}

async function plantRound({ service, instance, offering, covers }: Covered, calendar: number): Promise<void> {
  const [isOn, forEndUsers, ofAll] = [flipCoin(), flipCoin(), random() < 0.2];
  await plant(
    "request_template",
    (reader) => forEndUsers && isOn && (ofAll || covers(reader)),
    (subject) =>
      create("request_template", {
        ...{ subject, end_users: forEndUsers, disabled: !isOn, service_id: ofAll ? null : service.id },
      }),
  );
  const article = await plant(
    "knowledge_article",
    (reader) => forEndUsers && isOn && covers(reader),
    (subject) =>
      create("knowledge_article", {
        ...{ subject, service_id: service.id, end_users: forEndUsers, status: isOn ? "validated" : "not_validated" },
        ...{ description: "When it is common", instructions: "Do it" },
      }),
  );
  const sold = await plant(
    "shop_article",
    (reader) => isOn && (ofAll || covers(reader)),
    (name) => create("shop_article", { name, disabled: !isOn, start_at: null, end_at: null }),
  );
  if (!ofAll) expect((await admin.post(`/shop_articles/${sold.id}/service_offerings/${offering}`)).status).toBe(200);
  const room = await plant("ci", covers, (name) => create("ci", { name, status: "in_production", support_team_id: 1 }));
  await admin.post(`/service_instances/${instance}/cis/${room.id}`);
  const offered = await plant(
    "reservation_offering",
    (reader) => isOn && covers(reader),
    (name) =>
      create("reservation_offering", {
        ...{ name, service_instance_id: instance, calendar_id: calendar, time_zone: "UTC", disabled: !isOn },
        ...{ min_duration: 30, max_duration: 120, step_duration: 30, preparation_duration: null },
        ...{ min_advance_duration: null, max_advance_duration: null, initial_status: "confirmed" },
      }),
  );
  await admin.post(`/reservation_offerings/${offered.id}/cis/${room.id}`);
  // A reservation is only visible to the person it is for.
  await plant(
    "reservation",
    () => false,
    (name) =>
      create("reservation", {
        ...{ name, ci_id: room.id, person_id: sam },
        ...{ start_at: "2025-03-04T10:00:00Z", end_at: "2025-03-04T11:00:00Z" },
      }),
  );
  await plantBroadcast(isOn, { instance, covers });
  const person = pick([rita, kim, sam]);
  const isOfDepartment = person !== rita;
  await plant(
    "request",
    (reader) => reader.person === person || (reader.person === kim && isOfDepartment),
    async (subject) => {
      const { body } = await admin.post("/requests", {
        ...{ subject, category: "other", requested_by_id: person, requested_for_id: person },
        ...{ internal_note: "Between us: mark999999z", knowledge_article_id: flipCoin() ? article.id : null },
      });
      return body;
    },
  );
}

async function plantBroadcast(isOn: boolean, { instance, covers }: Pick<Covered, "instance" | "covers">) {
  const audiences: [members: Record<string, unknown>, isFor: (reader: Reader) => boolean][] = [
    [{ visibility: "all_of_account" }, () => true],
    [{ visibility: "account_specialists" }, () => false],
    [{ visibility: "covered_for", service_instance_ids: [instance] }, covers],
    [{ visibility: "organizations", organization_ids: [sales] }, ({ person }) => person === rita],
    [{ visibility: "organizations", organization_ids: [company] }, () => false],
    [{ visibility: "organizations_and_descendants", organization_ids: [department] }, ({ person }) => person === kim],
    [{ visibility: "members_of_teams", team_ids: [1] }, () => false],
  ];
  const [members, isFor] = pick(audiences);
  const plantOne = (message: string) =>
    admin.post("/broadcasts", {
      ...{ message, message_type: "info", start_at: "2025-03-03T07:00:00Z", disabled: !isOn, ...members },
    });
  await plant(
    "broadcast",
    (reader) => isOn && isFor(reader),
    async (message) => (await plantOne(message)).body,
  );
}

const rounds = atScale(5, 80);
const calendar = await agree.calendar(["mon-fri 09:00-12:00"]);
for (let round = 0; round < rounds; round += 1) await plantRound(await plantService(), calendar.id);

const collections: Readonly<Record<string, string>> = {
  service: "/services?fields=name",
  service_instance: "/service_instances?fields=name,service",
  request_template: "/request_templates?fields=subject,service",
  knowledge_article: "/knowledge_articles?fields=subject,service",
  shop_article: "/shop_articles?fields=name",
  ci: "/cis?fields=name",
  broadcast: "/broadcasts?fields=message",
  request: "/requests?fields=subject,knowledge_article",
};

/** Reads all rows of a list, page by page. */
async function readAll(client: { get(path: string): Promise<Reply> }, path: string): Promise<string> {
  let text = "";
  for (let page = 1; ; page += 1) {
    const reply = await client.get(`${path}&per_page=100&page=${page}`);
    expect([path, reply.status]).toEqual([path, 200]);
    text += reply.text;
    if (reply.body.length < 100) return text;
  }
}

for (const reader of readers) {
  const ofType = (type: string) => planted.filter((each) => each.type === type);
  const wordsFor = (type: string) => ofType(type).flatMap((each) => (each.isFor(reader) ? [each.word] : []));
  const allowed = new Set(planted.flatMap((each) => (each.isFor(reader) ? [each.word] : [])));
  const expectNothingMore = (what: string, text: string) =>
    expect([what, findWords(text).filter((each) => !allowed.has(each))]).toEqual([what, []]);

  test(`AZ17: lists, records and search return to ${reader.role} exactly what coverage and rights allow`, async () => {
    const api = as(reader.role);
    for (const [type, path] of Object.entries(collections)) {
      const text = await readAll(api, path);
      // References may name other records that the reader can access, too.
      expect([type, wordsFor(type).filter((each) => !text.includes(each))]).toEqual([type, []]);
      expectNothingMore(path, text);
    }
    for (const path of ["/people?fields=name,primary_email", "/organizations?fields=name"]) {
      const text = await readAll(api, path);
      for (const name of reader.person === rita ? ["Kim", "Sam", "Ada"] : ["Rita", "Ada"])
        expect([path, text.includes(`${name} `)]).toEqual([path, false]);
    }
    expect((await api.get("/reservation_offerings")).status).toBe(403);
    expectNothingMore("/reservations", (await api.get("/reservations")).text);
    for (const { type, id, isFor } of planted) {
      const collection = here.service.engine.types.get(type).collection;
      const reply = await api.get(`/${collection}/${id}`);
      const expected = type === "reservation_offering" || !isFor(reader) ? 403 : 200;
      expect([type, id, reply.status]).toEqual([type, id, expected]);
      expectNothingMore(`${collection}/${id}`, reply.text);
      if (type === "request" && isFor(reader))
        for (const below of ["notes", "knowledge_articles", "audit", "watches", "affected_slas"])
          expectNothingMore(`requests/${id}/${below}`, (await api.get(`/${collection}/${id}/${below}`)).text);
    }
    const found = await api.get("/search?q=common&per_page=100");
    expect(found.status).toBe(200);
    expectNothingMore("/search", found.text);
    for (const { word: each } of planted.filter(({ isFor }) => !isFor(reader)).slice(0, atScale(8, 200)))
      expect([each, findWords((await api.get(`/search?q=${each}`)).text)]).toEqual([each, []]);
    const graph = await graphqlClient(
      here,
      reader.role,
    )(
      "{ knowledgeArticles(first: 100) { nodes { subject } } requests(first: 100) { nodes { subject knowledgeArticle { subject } } } services(first: 100) { nodes { name } } people(first: 100) { nodes { name } } }",
    );
    expectNothingMore("graph", graph.text);
  });

  test(`AZ17: the portal shows ${reader.role} exactly what coverage and rights allow`, async () => {
    const client = as(reader.role);
    const loadPortal = (path: string) => client.get(`/portal${path}`);
    const expectShown = async (what: string, type: string, reply: Promise<Reply>) => {
      const { status, text } = await reply;
      expect([what, status]).toEqual([what, 200]);
      expectNothingMore(what, text);
      expect([what, wordsFor(type).filter((each) => !text.includes(each))]).toEqual([what, []]);
    };
    await expectShown("home: broadcasts", "broadcast", loadPortal(""));
    await expectShown("broadcasts", "broadcast", loadPortal("/broadcasts"));
    await expectShown("reservations", "reservation_offering", loadPortal("/reservations"));
    const home = (await loadPortal("")).body;
    const count = (type: string) => wordsFor(type).length;
    const templates = JSON.stringify(home.templates);
    if (count("request_template") <= 100)
      expect(wordsFor("request_template").filter((each) => !templates.includes(each))).toEqual([]);
    expect(home.offers).toEqual({ shop: count("shop_article"), reservations: count("reservation_offering") });
    for (const path of [
      "/requests?show=open",
      "/requests?show=solved",
      "/requests?show=shared",
      "/requests?show=all",
      "/approvals",
    ])
      expectNothingMore(path, (await loadPortal(path)).text);
    const suggested = await client.get(`/suggestions?text=common+mark`);
    expect(suggested.status).toBe(200);
    expectNothingMore("suggestions", suggested.text);
    for (const { word: each, isFor } of planted.slice(0, atScale(16, 400)))
      if (!isFor(reader)) expectNothingMore(each, (await client.get(`/suggestions?text=${each}`)).text);
    for (const each of planted) await tryOne(each);

    async function tryOne({ type, id, isFor }: Planted): Promise<void> {
      const isMine = isFor(reader);
      const expectStatus = (reply: Reply, status: number) => {
        expect([type, id, reply.status]).toEqual([type, id, status]);
        expectNothingMore(`${type} ${id}`, reply.text);
      };
      if (type === "request_template") expectStatus(await loadPortal(`/forms/${id}`), isMine ? 200 : 403);
      if (type === "request") expectStatus(await loadPortal(`/requests/${id}`), isMine ? 200 : 403);
      if (type === "knowledge_article") expectStatus(await loadPortal(`/articles/${id}`), isMine ? 200 : 403);
      if (type === "shop_article") {
        expectStatus(await loadPortal(`/shop_articles/${id}/form`), isMine ? 200 : 403);
        const put = await as(reader.role).post("/shop_order_lines", { shop_article_id: id });
        expectStatus(put, isMine ? 201 : 422);
      }
      if (type !== "reservation_offering") return;
      expectStatus(await loadPortal(`/reservation_offerings/${id}/free?date=2025-03-04`), isMine ? 200 : 403);
      const ci = planted.find((each) => each.type === "ci")?.id;
      const wanted = {
        offering: id,
        ci,
        start_at: "2025-03-05T12:00:00Z",
        end_at: "2025-03-05T13:00:00Z",
        name: "Mine",
      };
      const reserved = await client.post(`/portal/reservations`, wanted);
      expect([type, id, reserved.status]).toEqual([type, id, isMine ? 422 : 403]);
    }
  });
}

test("only requesters of a request add watchers, and other accounts have no portal for a requester", async () => {
  const client = as("requester");
  for (const { type, id, isFor } of planted.filter((each) => each.type === "request")) {
    const added = await client.post(`/portal/requests/${id}/watchers`, { email: "dirk@widget.example" });
    expect([type, id, added.status]).toEqual([type, id, isFor(readers[0]) ? 201 : 403]);
  }
  for (const account of ["provider", "stranger", "nowhere"])
    expect((await as("requester", { account }).get("/portal")).status).toBe(403);
  for (const path of ["/forms/x", "/requests/0", "/requests?show=everything", "/approvals/99999999999"])
    expect((await client.get(`/portal${path}`)).status, path).toBeGreaterThanOrEqual(400);
});
