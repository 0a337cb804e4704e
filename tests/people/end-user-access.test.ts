import { describe, expect, test } from "vitest";
import { requestHelpers } from "../support/records/requests.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { describeErrors } from "../support/replies.ts";
import { type Reply, world } from "../support/world.ts";

// What people without a role can read: AZ17.

const here = await world();
const { as } = here;
const { admin, create } = requestHelpers(here);
const agree = serviceAgreements(admin);
const requester = as("requester");
const rita = 5;
const ids = ({ body }: Reply): number[] => body.map(({ id }: { id: number }) => id);

const [covered, other] = [
  await agree.service({ knowledge_manager_id: 1 }),
  await agree.service({ knowledge_manager_id: 1 }),
];
const { instance } = await agree.coverPerson(covered, rita);

describe("knowledge articles", () => {
  const createArticle = (members: Record<string, unknown> = {}) =>
    create("knowledge_article", { service_id: covered.id, status: "validated", ...members });

  test("AZ13: people covered for an article's service read it if it is validated and for end users", async () => {
    const one = await createArticle();
    const hidden = [
      await createArticle({ service_id: other.id }),
      await createArticle({ end_users: false }),
      await createArticle({ status: "not_validated" }),
      await createArticle({ status: "archived" }),
    ];
    expect(ids(await requester.get("/knowledge_articles"))).toEqual([one.id]);
    expect((await requester.get(`/knowledge_articles/${one.id}`)).body.instructions).toBe(one.instructions);
    for (const { id } of hidden) expect((await requester.get(`/knowledge_articles/${id}`)).status).toBe(403);
    expect(ids(await as("keyContact").get("/knowledge_articles"))).toEqual([]);
  });

  test("key contacts of the customer account read articles for key contacts, and covered specialists those for specialists", async () => {
    const forContacts = await createArticle({ end_users: false, covered_specialists: false });
    const forSpecialists = await createArticle({ end_users: false, key_contacts: false });
    const contact = as("keyContact");
    expect((await contact.get(`/knowledge_articles/${forContacts.id}`)).status).toBe(403);
    expect((await as("directoryAdmin").post("/people/6/permissions/widget?roles=key_contact")).status).toBe(200);
    expect([
      (await contact.get(`/knowledge_articles/${forContacts.id}`)).status,
      (await contact.get(`/knowledge_articles/${forSpecialists.id}`)).status,
    ]).toEqual([200, 403]);
  });
});

test("use_knowledge_from_service_provider grants access to people covered for the parent service instances", async () => {
  const supplier = await agree.service({ knowledge_manager_id: 1 });
  const below = await agree.instance({ service_id: supplier.id });
  const offered = await agree.offering({ service_id: supplier.id });
  const between = await agree.sla({
    service_offering_id: offered.id,
    service_instance_id: below.id,
    coverage: "service_instances",
  });
  await admin.post(`/slas/${between.id}/service_instances`, {
    service_instance_id: instance.id,
    impact_relation: "down",
  });
  const { id } = await create("knowledge_article", { service_id: supplier.id, status: "validated" });
  const readStatus = async () => (await requester.get(`/knowledge_articles/${id}`)).status;
  expect(await readStatus()).toBe(403);
  await admin.patch(`/slas/${between.id}`, { use_knowledge_from_service_provider: true });
  expect(await readStatus()).toBe(200);
});

test("AZ17: request templates for end users, of covered services or of all services, without their staff texts", async () => {
  const texts = { description: "Why we have it", instructions: "Call the vendor", registration_hints: "Say which" };
  const [all, own] = [
    await create("request_template", texts),
    await create("request_template", { service_id: covered.id }),
  ];
  const hidden = [
    await create("request_template", { service_id: other.id }),
    await create("request_template", { end_users: false }),
    await create("request_template", { disabled: true }),
  ];
  expect(ids(await requester.get("/request_templates?sort=id"))).toEqual([all.id, own.id]);
  expect((await requester.get(`/request_templates/${all.id}`)).body).toMatchObject({
    ...texts,
    description: null,
    instructions: null,
  });
  expect((await as("specialist").get(`/request_templates/${all.id}`)).body).toMatchObject(texts);
  expect((await requester.post("/requests", { category: "rfi", template_id: own.id })).status).toBe(201);
  for (const { id } of hidden) {
    expect((await requester.get(`/request_templates/${id}`)).status).toBe(403);
    expect(describeErrors(await requester.post("/requests", { category: "rfi", template_id: id }))).toContain(
      "template: Sjabloon is niet geldig",
    );
  }
});

test("configuration items of covered services: their own, and those without users", async () => {
  const [mine, unused, ofOthers, elsewhere] = [
    await create("ci"),
    await create("ci"),
    await create("ci"),
    await create("ci"),
  ];
  for (const { id } of [mine, unused, ofOthers]) await admin.post(`/service_instances/${instance.id}/cis/${id}`);
  await admin.post(`/cis/${mine.id}/users/${rita}`);
  await admin.post(`/cis/${ofOthers.id}/users/9`);
  expect(ids(await requester.get("/cis?sort=id"))).toEqual([mine.id, unused.id]);
  for (const { id } of [ofOthers, elsewhere]) expect((await requester.get(`/cis/${id}`)).status).toBe(403);
  expect((await requester.post("/requests", { category: "rfi", ci_id: mine.id })).status).toBe(201);
  expect((await requester.post("/requests", { category: "rfi", ci_id: elsewhere.id })).status).toBe(422);
});
