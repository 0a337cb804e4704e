import { beforeAll, expect, test } from "vitest";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { type Reply, world } from "../support/world.ts";

// Knowledge articles.

const here = await world();
const { as, clock } = here;
const admin = as("administrator");
const wrong = (reply: Reply) => reply.body?.errors?.map(([field]: [string]) => field) ?? reply.status;

let service: { id: number };
beforeAll(async () => {
  service = (await admin.post("/services", { name: "Help", provider_id: 6 })).body;
});
const article = (members: Record<string, unknown> = {}) =>
  admin.post("/knowledge_articles", {
    subject: "Reset",
    description: "It does not answer",
    instructions: "Turn it off and on",
    service_id: service.id,
    ...members,
  });

test("subject, description, instructions and service are required; the rest has defaults", async () => {
  expect(wrong(await admin.post("/knowledge_articles", {}))).toEqual([
    "subject",
    "description",
    "instructions",
    "service",
  ]);
  expect((await article()).body).toMatchObject({
    status: "not_validated",
    locale: "en-US",
    end_users: true,
    internal_specialists: true,
    times_applied: 0,
    created_by: { id: 1 },
    updated_by: { id: 1 },
  });
  expect((await admin.get("/knowledge_articles?fields=locale")).status).toBe(400);
});

test("only a knowledge manager validates: of the service, or by role", async () => {
  expect(wrong(await article({ status: "validated" }))).toEqual(["status"]);
  const { body } = await article();
  const validate = () => admin.patch(`/knowledge_articles/${body.id}`, { status: "validated" });
  expect(wrong(await validate())).toEqual(["status"]);
  expect((await admin.get("/knowledge_articles/managed_by_me")).body).toEqual([]);
  await admin.patch(`/services/${service.id}`, { knowledge_manager_id: 1 });
  expect((await validate()).body.status).toBe("validated");
  expect((await admin.get(`/knowledge_articles/managed_by_me?id=${body.id}`)).body).toHaveLength(1);
  await admin.patch(`/services/${service.id}`, { knowledge_manager_id: null });
  expect((await admin.patch(`/knowledge_articles/${body.id}`, { keywords: "off, on" })).status).toBe(200);
});

test("archived articles leave the active ones", async () => {
  const { body } = await article({ status: "archived" });
  const found = async (view: string) => (await admin.get(`/knowledge_articles/${view}?id=${body.id}`)).body.length;
  expect([await found("active"), await found("archived")]).toEqual([0, 1]);
});

test("at the beginning of its archive date an article is archived", async () => {
  const { body } = await article({ archive_date: "2025-03-10" });
  const status = async () => (await admin.get(`/knowledge_articles/${body.id}`)).body.status;
  await clock.moveTo("2025-03-09T22:59:00Z"); // Amsterdam is an hour ahead
  expect(await status()).toBe("not_validated");
  await clock.moveTo("2025-03-09T23:00:00Z");
  expect(await status()).toBe("archived");
});

test("translations are written by those who write the article, one per other language", async () => {
  const { body } = await article();
  const path = `/knowledge_articles/${body.id}/translations`;
  expect((await admin.get(path)).body).toEqual([]);
  const dutch = { locale: "nl", subject: "Opnieuw", description: "Het antwoordt niet", instructions: "Uit en aan" };
  expect(wrong(await admin.post(path, { locale: "nl" }))).toEqual(["subject", "description", "instructions"]);
  expect(wrong(await admin.post(path, { ...dutch, locale: "en-US" }))).toEqual(["locale"]);
  const { status, body: made } = await admin.post(path, dutch);
  expect([status, made]).toMatchObject([201, dutch]);
  expect(wrong(await admin.post(path, dutch))).toEqual(["locale"]);
  expect((await admin.patch(`${path}/${made.id}`, { subject: "Herstarten" })).body.subject).toBe("Herstarten");
  const sam = as("specialist");
  expect((await sam.get(`${path}/${made.id}`)).body.subject).toBe("Herstarten");
  expect((await sam.patch(`${path}/${made.id}`, { subject: "Mine" })).status).toBe(403);
  expect((await as("stranger").get(`${path}/${made.id}`)).status).toBe(404);
  expect((await admin.delete(`${path}/${made.id}`)).status).toBe(204);
  expect((await admin.get(path)).body).toEqual([]);
});

test("readers say that it helped or is out of date; the author hears of it, and a change answers it", async () => {
  const sam = as("specialist");
  await admin.patch(`/services/${service.id}`, { knowledge_manager_id: 1 });
  const { body } = await sam.post("/knowledge_articles", {
    subject: "Author is Sam",
    description: "D",
    instructions: "I",
    service_id: service.id,
  });
  const path = `/knowledge_articles/${body.id}`;
  const feedback = async (client = admin) => (await client.get(`${path}/feedback`)).body;
  const isOutdated = async () => (await admin.get(`/knowledge_articles/outdated?id=${body.id}`)).body.length === 1;
  expect(await feedback()).toEqual({ useful: 0, outdated: 0, mine: null, comments: [] });
  expect((await admin.post(`${path}/useful`)).status).toBe(204);
  expect(await feedback()).toMatchObject({ useful: 1, outdated: 0, mine: "useful" });
  expect((await admin.post(`${path}/outdated`, { note: " The menu moved " })).status).toBe(204);
  const written = [{ person: { id: 1, name: "Ada Admin" }, mark: "outdated", note: "The menu moved" }];
  expect(await feedback(sam)).toMatchObject({ useful: 0, outdated: 1, mine: null, comments: written });
  expect(await feedback(as("manager"))).toMatchObject({ outdated: 1, comments: [] });
  expect(await isOutdated()).toBe(true);
  const told = (await sam.get("/notifications")).body;
  expect(told.items[0]).toMatchObject({ kind: "answer", type: "knowledge_article", by: { id: 1 } });
  await clock.pass(60);
  await sam.patch(path, { instructions: "Better" });
  expect(await feedback()).toMatchObject({ useful: 0, outdated: 0, mine: null });
  expect(await isOutdated()).toBe(false);
  await sam.patch(path, { review_date: "2025-03-01" });
  expect(await isOutdated()).toBe(true);
  for (const note of [5, ["x"], "x".repeat(2001)])
    expect(wrong(await admin.post(`${path}/outdated`, { note }))).toEqual(["note"]);
  expect((await as("requester").post(`${path}/useful`)).status).toBe(403);
  expect((await as("stranger").post(`${path}/useful`)).status).toBe(404);
});

test("a template lists its articles", async () => {
  const { body: template } = await admin.post("/knowledge_article_templates", { subject: "How to" });
  const { body } = await article({ template_id: template.id });
  expect((await admin.get(`/knowledge_article_templates/${template.id}/knowledge_articles`)).body).toMatchObject([
    { id: body.id },
  ]);
});

test("use_knowledge_from_service_provider opens what is known below to the people covered for the instances above", async () => {
  const { agreed, instance, offering, sla } = serviceAgreements(admin);
  await admin.patch(`/services/${service.id}`, { knowledge_manager_id: 1 });
  const { id } = (await article({ status: "validated" })).body;
  const rita = as("requester");
  const reads = async () => (await rita.get(`/knowledge_articles/${id}`)).status;
  const above = await agreed(); // covers Rita
  const below = await instance({ service_id: service.id });
  const between = await sla({
    service_instance_id: below.id,
    service_offering_id: (await offering({ service_id: service.id })).id,
    coverage: "service_instances",
  });
  const path = `/slas/${between.id}`;
  await admin.post(`${path}/service_instances`, { service_instance_id: above.instance.id, impact_relation: "down" });
  expect(await reads()).toBe(403);
  await admin.patch(path, { use_knowledge_from_service_provider: true });
  expect(await reads()).toBe(200);
  await admin.patch(path, { coverage: "people" });
  expect(await reads()).toBe(403);
});
