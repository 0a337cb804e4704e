import { describe, expect, test } from "vitest";
import { portalOperations } from "../../records/answers/portal.ts";
import { portalArticleOperations } from "../../records/answers/portal-articles.ts";
import { portalFormOperations } from "../../records/answers/portal-forms.ts";
import { portalOfferOperations } from "../../records/answers/portal-offers.ts";
import { suggestionOperations } from "../../records/answers/suggestions.ts";
import { listNeededScopes } from "../../server/api/http/route.ts";
import { toOpenApiPath } from "../../server/api/openapi/document.ts";
import { hashToken } from "../../server/oauth/tokens.ts";
import { requestHelpers } from "../support/records/requests.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { tokenFor } from "../support/seed.ts";
import { type Client, world } from "../support/world.ts";

// D-799: other programs can build a portal with the operations of this one. Every operation requires the scopes of the
// record types that it reads or changes, and responds as declared with exactly these scopes.

const here = await world();
const { as, sql } = here;
const { admin, create } = requestHelpers(here);
const agree = serviceAgreements(admin);
const make = workflowHelpers(admin);
const [rita, sam] = [5, 3];
const requester = as("requester");

let tokens = 0;
/** Creates a client for the person, with a token that has these scopes. */
async function withScopes(person: number, actions: readonly string[]): Promise<Client> {
  tokens += 1;
  const token = tokenFor(`portal ${tokens}`);
  await sql(
    `INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at)
SELECT account_id, id, 'personal', $2, $3, $4, now() FROM people WHERE id = $1`,
    [person, `portal ${tokens}`, hashToken(token), JSON.stringify([{ effect: "allow", actions, accounts: [] }])],
  );
  return here.withToken(token, { account: "widget-it" });
}

const service = await agree.service({ knowledge_manager_id: 1 });
const { instance } = await agree.coverPerson(service, rita);
const template = await create("request_template", { service_id: service.id, end_users: true });
const article = await create("knowledge_article", {
  ...{ subject: "Paper jam", description: "It blinks", instructions: "Open it" },
  ...{ service_id: service.id, status: "validated" },
});
const delivery = await create("request_template", { subject: "Deliver it", category: "fulfillment", end_users: false });
const laptop = await create("shop_article", {
  ...{ name: "Laptop", reference: "laptop", fulfillment_template_id: delivery.id, max_quantity: 3 },
  ...{ disabled: false, start_at: null, end_at: null, price: "1200.50", price_currency: "eur" },
});
const calendar = await agree.calendar(["mon-fri 09:00-17:00"]);
const offering = await create("reservation_offering", {
  ...{ name: "Room", service_instance_id: instance.id, calendar_id: calendar.id, time_zone: "UTC" },
  ...{ initial_status: "confirmed", min_duration: 30, max_duration: 120, step_duration: 30 },
  ...{ preparation_duration: null, min_advance_duration: null, max_advance_duration: null, disabled: false },
});
const room = await create("ci", { name: "Prism", status: "in_production", support_team_id: 1 });
await admin.post(`/reservation_offerings/${offering.id}/cis/${room.id}`);
await admin.post("/broadcasts", {
  ...{ message: "Printers are slow", message_type: "info", visibility: "all_of_account" },
  start_at: "2025-03-03T07:00:00Z",
});
const workflow = await make.workflow();
const { body: request } = await requester.post("/requests", { category: "incident", subject: "Paper jam again" });
await admin.patch(`/requests/${request.id}`, { workflow_id: workflow.id });
await admin.post(`/requests/${request.id}/tags`, { name: "vip" });
const approval = await make.task(workflow, { category: "approval", subject: "Approve it" });
await admin.post(`/tasks/${approval.id}/approvals`, { approver_id: rita });
await admin.patch(`/tasks/${approval.id}`, { status: "assigned" });

const addToCart = async () => (await requester.post("/shop_order_lines", { shop_article_id: laptop.id })).body.id;
const reserve = (hour: string) => ({
  ...{ offering: offering.id, ci: room.id, name: "Interview" },
  ...{ start_at: `2025-03-04T${hour}:00:00Z`, end_at: `2025-03-04T${hour}:30:00Z` },
});
const addWatcher = async () =>
  (await requester.post(`/portal/requests/${request.id}/watchers`, { email: "kim@widget.example" })).body.id;

const declared = {
  ...portalOperations,
  ...portalFormOperations,
  ...portalOfferOperations,
  ...portalArticleOperations,
  ...suggestionOperations,
};
type Key = keyof typeof declared;
/** Requesters may not read tags. */
const pickPerson = (key: Key) => (key === "GET /tags" ? sam : rita);
/** Returns path and body of a call that the person may make. */
// biome-ignore format: a table keeps its columns
const calls: Record<Key, () => Promise<[path: string, body?: unknown]>> = {
  "GET /portal":                                  async () => ["/portal"],
  "GET /portal/broadcasts":                       async () => ["/portal/broadcasts"],
  "GET /portal/requests":                         async () => ["/portal/requests?show=all"],
  "GET /portal/requests/:id":                     async () => [`/portal/requests/${request.id}`],
  "POST /portal/requests/:id/watchers":           async () => [`/portal/requests/${request.id}/watchers`, { email: "kim@widget.example" }],
  "DELETE /portal/requests/:id/watchers/:watch":  async () => [`/portal/requests/${request.id}/watchers/${await addWatcher()}`],
  "GET /portal/approvals":                        async () => ["/portal/approvals"],
  "GET /portal/approvals/:id":                    async () => [`/portal/approvals/${approval.id}`],
  "GET /portal/forms/:id":                        async () => [`/portal/forms/${template.id}`],
  "GET /portal/shop_articles/:id/form":           async () => [`/portal/shop_articles/${laptop.id}/form`],
  "POST /portal/orders":                          () => addToCart().then(() => ["/portal/orders", { reason: "Mine is old" }]),
  "DELETE /portal/cart/:id":                      async () => [`/portal/cart/${await addToCart()}`],
  "GET /requests/:id/order_lines":                async () => [`/requests/${request.id}/order_lines`],
  "GET /portal/reservations":                     async () => ["/portal/reservations"],
  "GET /portal/reservation_offerings/:id/free":   async () => [`/portal/reservation_offerings/${offering.id}/free?date=2025-03-04`],
  "POST /portal/reservations":                    async () => ["/portal/reservations", reserve("10")],
  "DELETE /portal/reservations/:id":              async () => [`/portal/reservations/${(await requester.post("/portal/reservations", reserve("11"))).body.id}`],
  "GET /portal/articles":                         async () => ["/portal/articles"],
  "GET /portal/articles/search":                  async () => ["/portal/articles/search?text=paper"],
  "GET /portal/articles/:id":                     async () => [`/portal/articles/${article.id}`],
  "POST /portal/articles/:id/views":              async () => [`/portal/articles/${article.id}/views`],
  "GET /suggestions":                             async () => ["/suggestions?text=paper%20jam"],
  "GET /tags":                                    async () => ["/tags?text=v"],
};

const { body: document } = await requester.get("/openapi.json");

describe.each(Object.keys(declared) as Key[])("%s", (key) => {
  const [method = "", path = ""] = key.split(" ");
  const route = here.service.routes.find((each) => each.method === method && each.path === path);
  const scopes = route === undefined ? [] : listNeededScopes(route).map(({ type, action }) => `${type}:${action}`);

  test("lists its scopes in the API reference", () => {
    const operation = document.paths[toOpenApiPath(path)]?.[method.toLowerCase()];
    expect(operation.operationId).toBe(declared[key].id);
    expect(scopes.length).toBeGreaterThan(0);
    expect(operation.security[0]).toEqual({ bearer: scopes });
  });

  test("rejects a token that lacks one of the scopes, and accepts one that has them all", async () => {
    const [address, body] = await calls[key]();
    for (const missing of scopes) {
      const client = await withScopes(pickPerson(key), ["me:All", ...scopes.filter((scope) => scope !== missing)]);
      expect((await client.send(method, address, body)).status, missing).toBe(403);
    }
    const { status, text } = await (await withScopes(pickPerson(key), scopes)).send(method, address, body);
    const { answer } = declared[key];
    const expected = answer === null ? 204 : "status" in declared[key] ? declared[key].status : 200;
    expect([status, text]).toEqual([expected, expect.anything()]);
  });
});

test("scopes grant no rights: a person without rights on a record is rejected with any token", async () => {
  const stranger = as("stranger", { account: "widget-it" });
  for (const path of ["/portal", "/portal/requests", "/suggestions?text=x", "/tags"])
    expect((await stranger.get(path)).status, path).toBe(403);
  expect((await as("keyContact").get(`/portal/requests/${request.id}`)).status).toBe(403);
  expect((await here.withToken("nobody").get("/portal")).status).toBe(401);
});
