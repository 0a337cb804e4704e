import { beforeAll, expect, test } from "vitest";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { type Reply, world } from "../support/world.ts";

// Knowledge articles.

const here = await world();
const { as, clock } = here;
const admin = as("administrator");
const listInvalidFields = (reply: Reply) => reply.body?.errors?.map(([field]: [string]) => field) ?? reply.status;

let service: { id: number };
beforeAll(async () => {
  service = (await admin.post("/services", { name: "Help", provider_id: 6 })).body;
});
const postArticle = (members: Record<string, unknown> = {}) =>
  admin.post("/knowledge_articles", {
    subject: "Reset",
    description: "It does not answer",
    instructions: "Turn it off and on",
    service_id: service.id,
    ...members,
  });

test("subject, description, instructions and service are required; the rest has defaults", async () => {
  expect(listInvalidFields(await admin.post("/knowledge_articles", {}))).toEqual([
    "subject",
    "description",
    "instructions",
    "service",
  ]);
  expect((await postArticle()).body).toMatchObject({
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

test("only the service's knowledge manager or a person with the role validates an article", async () => {
  expect(listInvalidFields(await postArticle({ status: "validated" }))).toEqual(["status"]);
  const { body } = await postArticle();
  const validate = () => admin.patch(`/knowledge_articles/${body.id}`, { status: "validated" });
  expect(listInvalidFields(await validate())).toEqual(["status"]);
  expect((await admin.get("/knowledge_articles/managed_by_me")).body).toEqual([]);
  await admin.patch(`/services/${service.id}`, { knowledge_manager_id: 1 });
  expect((await validate()).body.status).toBe("validated");
  expect((await admin.get(`/knowledge_articles/managed_by_me?id=${body.id}`)).body).toHaveLength(1);
  await admin.patch(`/services/${service.id}`, { knowledge_manager_id: null });
  expect((await admin.patch(`/knowledge_articles/${body.id}`, { keywords: "off, on" })).status).toBe(200);
});

test("archived articles aren't in the active view", async () => {
  const { body } = await postArticle({ status: "archived" });
  const countInView = async (view: string) =>
    (await admin.get(`/knowledge_articles/${view}?id=${body.id}`)).body.length;
  expect([await countInView("active"), await countInView("archived")]).toEqual([0, 1]);
});

test("an article is archived at the start of its archive date", async () => {
  const { body } = await postArticle({ archive_date: "2025-03-10" });
  const loadStatus = async () => (await admin.get(`/knowledge_articles/${body.id}`)).body.status;
  await clock.moveTo("2025-03-09T22:59:00Z"); // Amsterdam is an hour ahead
  expect(await loadStatus()).toBe("not_validated");
  await clock.moveTo("2025-03-09T23:00:00Z");
  expect(await loadStatus()).toBe("archived");
});

test("authors of the article write its translations, one per other language", async () => {
  const { body } = await postArticle();
  const path = `/knowledge_articles/${body.id}/translations`;
  expect((await admin.get(path)).body).toEqual([]);
  const dutch = { locale: "nl", subject: "Opnieuw", description: "Het antwoordt niet", instructions: "Uit en aan" };
  expect(listInvalidFields(await admin.post(path, { locale: "nl" }))).toEqual([
    "subject",
    "description",
    "instructions",
  ]);
  expect(listInvalidFields(await admin.post(path, { ...dutch, locale: "en-US" }))).toEqual(["locale"]);
  const { status, body: made } = await admin.post(path, dutch);
  expect([status, made]).toMatchObject([201, dutch]);
  expect(listInvalidFields(await admin.post(path, dutch))).toEqual(["locale"]);
  expect((await admin.patch(`${path}/${made.id}`, { subject: "Herstarten" })).body.subject).toBe("Herstarten");
  const sam = as("specialist");
  expect((await sam.get(`${path}/${made.id}`)).body.subject).toBe("Herstarten");
  expect((await sam.patch(`${path}/${made.id}`, { subject: "Mine" })).status).toBe(403);
  expect((await as("stranger").get(`${path}/${made.id}`)).status).toBe(404);
  expect((await admin.delete(`${path}/${made.id}`)).status).toBe(204);
  expect((await admin.get(path)).body).toEqual([]);
});

test("readers mark an article as useful or outdated, the author is notified, and an edit clears the marks", async () => {
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
  const notifications = (await sam.get("/notifications")).body;
  expect(notifications.items[0]).toMatchObject({ kind: "answer", type: "knowledge_article", by: { id: 1 } });
  await clock.pass(60);
  await sam.patch(path, { instructions: "Better" });
  expect(await feedback()).toMatchObject({ useful: 0, outdated: 0, mine: null });
  expect(await isOutdated()).toBe(false);
  await sam.patch(path, { review_date: "2025-03-01" });
  expect(await isOutdated()).toBe(true);
  for (const note of [5, ["x"], "x".repeat(2001)])
    expect(listInvalidFields(await admin.post(`${path}/outdated`, { note }))).toEqual(["note"]);
  expect((await as("requester").post(`${path}/useful`)).status).toBe(403);
  expect((await as("stranger").post(`${path}/useful`)).status).toBe(404);
});

test("a template lists its articles", async () => {
  const { body: template } = await admin.post("/knowledge_article_templates", { subject: "How to" });
  const { body } = await postArticle({ template_id: template.id });
  expect((await admin.get(`/knowledge_article_templates/${template.id}/knowledge_articles`)).body).toMatchObject([
    { id: body.id },
  ]);
});

test("with use_knowledge_from_service_provider, people covered for a dependent service instance read the provider's articles", async () => {
  const { agreed, instance, offering, sla } = serviceAgreements(admin);
  await admin.patch(`/services/${service.id}`, { knowledge_manager_id: 1 });
  const { id } = (await postArticle({ status: "validated" })).body;
  const rita = as("requester");
  const readStatus = async () => (await rita.get(`/knowledge_articles/${id}`)).status;
  const above = await agreed(); // covers Rita
  const below = await instance({ service_id: service.id });
  const between = await sla({
    service_instance_id: below.id,
    service_offering_id: (await offering({ service_id: service.id })).id,
    coverage: "service_instances",
  });
  const path = `/slas/${between.id}`;
  await admin.post(`${path}/service_instances`, { service_instance_id: above.instance.id, impact_relation: "down" });
  expect(await readStatus()).toBe(403);
  await admin.patch(path, { use_knowledge_from_service_provider: true });
  expect(await readStatus()).toBe(200);
  await admin.patch(path, { coverage: "people" });
  expect(await readStatus()).toBe(403);
});
