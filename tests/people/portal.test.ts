import { describe, expect, test } from "vitest";
import { enumerations } from "../../records/enumerations/index.ts";
import { parseFormDefinition, parseHtmlFields } from "../../server/actions/portal/form-fields.ts";
import { FormBrowser, passwordFor, setPasswords } from "../support/clients/form-browser.ts";
import { signInClient } from "../support/clients/session-client.ts";
import { loadReceivedTexts } from "../support/mail/received-mails.ts";
import { requestHelpers } from "../support/records/requests.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { world } from "../support/world.ts";

// What the portal shows a requester in addition to the records of the REST API, and what it never shows: AZ17.

const here = await world();
const { as, sql } = here;
const { admin, create, mails } = requestHelpers(here);
const agree = serviceAgreements(admin);
const make = workflowHelpers(admin);
const [rita, sam] = [5, 3];
const requester = as("requester");
const session = await signInClient(here, "requester");
const loadPortal = (path = "") => requester.get(`/portal${path}`);

const [covered, other] = [
  await agree.service({ knowledge_manager_id: 1 }),
  await agree.service({ name: "Secret service", knowledge_manager_id: 1 }),
];
const { instance } = await agree.coverPerson(covered, rita);

test("colleagues are added as watchers by email address, only by the people who requested it", async () => {
  const { body: request } = await requester.post("/requests", { category: "incident", subject: "Ours" });
  const at = `/portal/requests/${request.id}/watchers`;
  const added = await requester.post(at, { email: "Kim@Widget.example" });
  expect(added.body).toMatchObject({ person: { id: 6, name: "Kim Contact" } });
  expect((await requester.post(at, { email: "kim@widget.example" })).body.id).toBe(added.body.id);
  // People of other companies count as unknown.
  for (const email of ["stella@stranger.example", "nobody@widget.example", "", 5])
    expect((await requester.post(at, { email })).status, String(email)).toBe(422);
  const follower = as("keyContact");
  expect((await as("keyContact").get(`/requests/${request.id}`)).status).toBe(200);
  expect((await follower.post(at, { email: "sam@widget.example" })).status).toBe(403);
  expect((await follower.delete(`${at}/${added.body.id}`)).status).toBe(403);
  expect((await as("keyContact").patch(`/requests/${request.id}`, { status: "completed" })).status).toBe(403);
  const listShared = async (by: typeof requester) =>
    (await by.get("/portal/requests?show=shared")).body.items.map(({ id }: { id: number }) => id);
  expect([await listShared(follower), await listShared(requester)]).toEqual([[request.id], []]);
  expect((await requester.delete(`${at}/${added.body.id}`)).status).toBe(204);
  expect((await requester.get(`/requests/${request.id}/watches`)).body).toEqual([]);
  expect(await listShared(follower)).toEqual([]);
});

test("search suggestions show a request in any open status as the list of requests does", async () => {
  const statuses = enumerations["request.status"].filter((status) => status !== "completed");
  for (const [at, status] of statuses.entries()) {
    const { body } = await requester.post("/requests", { category: "incident", subject: `Okapi${at} at the door` });
    await sql("UPDATE requests SET status = $2 WHERE id = $1", [body.id, status]);
    const { similar } = (await requester.get(`/suggestions?text=okapi${at}`)).body;
    const listed = (await loadPortal("/requests")).body.items.find(({ id }: { id: number }) => id === body.id);
    expect(similar, status).toEqual([{ ...listed, status }]);
  }
});

describe("approvals", () => {
  async function askForApproval(subject: string) {
    const workflow = await make.workflow();
    const { body: request } = await admin.post("/requests", {
      category: "rfc",
      subject,
      requested_by_id: sam,
      requested_for_id: sam,
      note: "For the new desk",
      workflow_id: workflow.id,
    });
    const task = await make.task(workflow, { category: "approval", subject: "Approve the purchase" });
    await admin.post(`/tasks/${task.id}/approvals`, { approver_id: rita });
    expect((await admin.patch(`/tasks/${task.id}`, { status: "assigned" })).status).toBe(200);
    return { task: task.id as number, request: request.id as number };
  }
  const loadStatus = async (task: number) => (await admin.get(`/tasks/${task}`)).body.status;
  const linksTo = async (task: number): Promise<{ approve: string; reject: string }> => {
    await mails();
    const condition = "record_type = 'task' AND record_id = $1 AND recipient = 'rita@widget.example'";
    const rows = (await loadReceivedTexts(here, condition, [task])).reverse();
    const find = (decision: string) =>
      here.url + (new RegExp(`/approvals/\\d+/\\d+/${decision}/[0-9a-f]{40}`).exec(rows[0]?.body ?? "")?.[0] ?? "");
    return { approve: find("approved"), reject: find("rejected") };
  };
  const send = (url: string, form: Record<string, string> = {}) =>
    fetch(url, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });

  test("an approver sees what the decision is about, decides, and finds it in the history", async () => {
    const { task, request } = await askForApproval("Second screen");
    const [approval] = (await loadPortal("/approvals")).body.open;
    expect(approval).toMatchObject({
      task,
      subject: "Approve the purchase",
      request: { id: request, subject: "Second screen", requested_for: "Sam Specialist", note: "For the new desk" },
    });
    // The approver can't access the request itself.
    expect((await requester.get(`/requests/${request}`)).status).toBe(403);
    expect((await loadPortal()).body.approvals.total).toBe(1);
    expect((await requester.patch(`/tasks/${task}`, { status: "approved" })).status).toBe(200);
    const after = (await loadPortal("/approvals")).body;
    expect([after.open, after.decided[0].task, after.decided[0].votes]).toEqual([
      [],
      task,
      [{ name: "Rita Requester", status: "approved" }],
    ]);
    const stranger = await askForApproval("Another screen");
    await admin.patch(`/tasks/${stranger.task}`, { status: "canceled" });
    expect((await loadPortal(`/approvals/${stranger.task}`)).body.status).toBe("canceled");
  });

  test("an order's approver sees the articles, their prices, the people and the reason", async () => {
    const template = await create("request_template", {
      subject: "Deliver a laptop",
      category: "fulfillment",
      end_users: false,
    });
    const laptop = await create("shop_article", {
      ...{ name: "Laptop", reference: "laptop", fulfillment_template_id: template.id, max_quantity: 3 },
      ...{ price: "1200.50", price_currency: "eur", recurring_period: "monthly" },
      ...{ recurring_price: "30.25", recurring_price_currency: "eur", disabled: false, start_at: null, end_at: null },
    });
    await requester.post("/shop_order_lines", { shop_article_id: laptop.id, quantity: 2 });
    expect((await requester.post("/portal/orders", { reason: 5 })).status).toBe(422);
    const { body: placed } = await requester.post("/portal/orders", {
      reason: "Mine is seven years old",
    });
    const line = {
      ...{ name: "Laptop", quantity: "2", requested_for: "Rita Requester", price: "1200.50", price_currency: "eur" },
      ...{ recurring_price: "30.25", recurring_price_currency: "eur", recurring_period: "monthly" },
    };
    expect((await loadPortal(`/requests/${placed.order}`)).body.lines).toEqual([line]);
    const { fulfillment_request } = (await requester.get(`/shop_order_lines/${placed.lines[0]}`)).body;
    const workflow = await make.workflow();
    await admin.patch(`/requests/${fulfillment_request.id}`, { workflow_id: workflow.id });
    const task = await make.task(workflow, { category: "approval", subject: "Approve the laptop" });
    await admin.post(`/tasks/${task.id}/approvals`, { approver_id: rita });
    await admin.patch(`/tasks/${task.id}`, { status: "assigned" });
    expect((await loadPortal(`/approvals/${task.id}`)).body.request).toEqual({
      ...{ id: fulfillment_request.id, subject: "Laptop", lines: [line] },
      ...{ requested_by: "Rita Requester", requested_for: "Rita Requester" },
      note: "Mine is seven years old",
    });
  });

  test("AP14: the email's links ask for confirmation, can be used once, and then show who used them", async () => {
    const { task } = await askForApproval("A chair");
    const { approve, reject } = await linksTo(task);
    const page = await fetch(approve);
    // The approver reads Dutch.
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("“A chair” goedkeuren?")]);
    expect(await loadStatus(task)).toBe("assigned");
    expect((await send(reject)).status).toBe(422);
    for (const wrong of [
      approve.replace(/.$/, (end) => (end === "0" ? "1" : "0")),
      approve.replace("/approved/", "/rejected/"),
    ])
      expect((await fetch(wrong)).status).toBe(404);
    for (const wrong of [
      "/approvals/0/5/approved/x",
      "/approvals/1/5/perhaps/x",
      `/approvals/1/5/approved/${"é".repeat(40)}`,
    ])
      expect((await fetch(here.url + wrong)).status).toBe(404);
    expect((await send(approve, { note: "Fine" })).status).toBe(200);
    expect(await loadStatus(task)).toBe("approved");
    for (const answer of [await fetch(approve), await send(approve), await send(reject, { note: "No" })])
      expect([answer.status, await answer.text()]).toEqual([410, expect.stringContaining("Rita Requester")]);
    expect((await admin.get(`/tasks/${task}/notes`)).body[0].text).toBe("Fine");
  });

  test("AP14: a link for an earlier assignment can't decide a later one", async () => {
    const { task } = await askForApproval("A lamp");
    const { approve } = await linksTo(task);
    await admin.patch(`/tasks/${task}`, { status: "canceled" });
    await admin.patch(`/tasks/${task}`, { status: "assigned" });
    expect((await send(approve)).status).toBe(410);
    expect(await loadStatus(task)).toBe("assigned");
  });
});

describe("forms of UI extensions", () => {
  test("the designer's form provides the fields, and a section applies its condition to its fields", async () => {
    const fields = parseFormDefinition(
      JSON.stringify({
        fields: [
          {
            id: "place",
            type: "choice",
            label: "Place",
            required: true,
            options: ["office", { value: "home", label: "At home" }],
          },
          {
            type: "section",
            label: "At home",
            when: { field: "place", is: ["home"] },
            fields: [{ id: "street", type: "text" }],
          },
          { id: "photo", type: "attachment", label: "Photo", help: "Of the damage" },
          { id: "", type: "text" },
          "nonsense",
        ],
      }),
    );
    expect(fields.map(({ id, kind, when }) => [id, kind, when])).toEqual([
      ["place", "choice", null],
      ["heading At home", "heading", { field: "place", is: ["home"] }],
      ["street", "text", { field: "place", is: ["home"] }],
      ["photo", "files", null],
    ]);
    expect(fields[0]).toMatchObject({
      required: true,
      options: [
        { value: "office", label: "office" },
        { value: "home", label: "At home" },
      ],
    });
    for (const broken of [null, "", "{", "5", '{"fields":7}', '[[],{"type":"x"}]'])
      expect(parseFormDefinition(broken)).toEqual([]);
  });

  test("without a form definition, the inputs in the HTML are used, and scripts and styles are ignored", async () => {
    const fields = parseHtmlFields(`<style>label{}</style><script>alert("<input name=evil>")</script><h3>Newcomer</h3>
<label for="day">First day *</label><input type="date" id="day" name="day" required onfocus="alert(1)">
<label>Desk <select name="desk"><option value="">-</option><option value="lab">Laboratory</option></select></label>
<div data-show-when="desk=lab"><input type="checkbox" name="gloves" aria-label="Gloves"></div>
<input type="hidden" name="hidden"><textarea name="more" data-help="As long as you like"></textarea>`);
    expect(fields.map(({ id, kind, label, required, when }) => [id, kind, label, required, when])).toEqual([
      ["heading Newcomer", "heading", "Newcomer", false, null],
      ["day", "date", "First day", true, null],
      ["desk", "choice", "Desk", false, null],
      ["gloves", "switch", "Gloves", false, { field: "desk", is: ["lab"] }],
      ["more", "long_text", "more", false, null],
    ]);
    expect(fields.at(-1)?.help).toBe("As long as you like");
  });
});

describe("reservations", () => {
  const at = "/portal";
  const day = "2025-03-04";
  async function offerRoom(members: Record<string, unknown> = {}) {
    const calendar = await agree.calendar(["mon-fri 09:00-12:00"]);
    const offer = await create("reservation_offering", {
      ...{ name: "Room", service_instance_id: instance.id, calendar_id: calendar.id, time_zone: "UTC" },
      ...{ initial_status: "confirmed", min_duration: 30, max_duration: 120, step_duration: 30 },
      ...{ preparation_duration: null, min_advance_duration: null, max_advance_duration: null, disabled: false },
      ...members,
    });
    const item = await create("ci", { name: "Prism", status: "in_production", support_team_id: 1 });
    await admin.post(`/reservation_offerings/${offer.id}/cis/${item.id}`);
    const free = async (date = day) => {
      const { body } = await loadPortal(`/reservation_offerings/${offer.id}/free?date=${date}`);
      return body.items[0].free.map((period: { from: string; until: string }) =>
        [period.from, period.until].map((text) => new Date(text).toISOString().slice(11, 16)).join("-"),
      );
    };
    const take = (from: string, until: string, more: Record<string, unknown> = {}) =>
      requester.post(`${at}/reservations`, {
        ...{ offering: offer.id, ci: item.id, name: "Interview" },
        ...{ start_at: `${day}T${from}:00Z`, end_at: `${day}T${until}:00Z`, ...more },
      });
    return { offer, item, free, take };
  }

  test("free times are the calendar's hours without reservations, in steps, from now on", async () => {
    const { free, take } = await offerRoom({ preparation_duration: 30 });
    expect(await free()).toEqual(["09:00-12:00"]);
    expect(await free("2025-03-08")).toEqual([]); // a Saturday
    expect(await free("2025-03-02")).toEqual([]); // yesterday
    expect(await take("10:00", "10:30")).toMatchObject({ status: 201, text: expect.stringContaining("confirmed") });
    // Preparing the room takes half an hour before and after it.
    expect(await free()).toEqual(["09:00-09:30", "11:00-12:00"]);
    for (const date of ["", "2025-13-40", "today"])
      expect((await loadPortal(`/reservation_offerings/1/free?date=${date}`)).status, date).toBe(400);
  });

  test("a reservation is rejected if the time isn't free, too short or too long, or a value is invalid", async () => {
    const { take, free } = await offerRoom();
    const wrong: [string, string, Record<string, unknown>?][] = [
      ["08:00", "09:00"],
      ["11:30", "12:30"],
      ["09:00", "09:15"],
      ["09:00", "11:30"],
      ["10:00", "09:00"],
      ["09:00", "10:00", { ci: 1_000_000 }],
      ["09:00", "10:00", { name: " " }],
      ["09:00", "10:00", { name: "x".repeat(129) }],
      ["09:00", "10:00", { start_at: "soon" }],
      ["09:00", "10:00", { offering: "1" }],
    ];
    for (const [from, until, more] of wrong)
      expect((await take(from, until, more)).status, JSON.stringify([from, until, more])).toBe(422);
    const answers = await Promise.all([take("09:00", "10:00"), take("09:30", "10:30")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect((await free()).length).toBeGreaterThan(0);
  });

  test("D-399: a reservation over several days begins and ends in opening hours, and blocks the time in between", async () => {
    const { take, free } = await offerRoom({ multi_day: true, max_duration: 3 * 1440 });
    const until = (time: string) => ({ end_at: `2025-03-0${time}:00Z` });
    expect((await take("10:00", "", until("5T13:00"))).status).toBe(422); // closed
    expect((await take("10:00", "", until("9T10:00"))).status).toBe(422); // too long
    expect((await take("10:00", "", until("5T11:00"))).status).toBe(201);
    expect(await free("2025-03-05")).toEqual(["11:00-12:00"]);
    expect((await take("09:00", "", until("5T11:30"))).status).toBe(422); // it overlaps the first reservation
    expect((await take("09:00", "10:00")).status).toBe(201);
    const single = await offerRoom({ max_duration: 3 * 1440 });
    expect((await single.take("10:00", "", until("5T11:00"))).status).toBe(422);
  });

  test("D-399: a repeated reservation creates single ones, all or none, and the day that isn't free is reported", async () => {
    const { take, free, item } = await offerRoom({ allow_repeat: true });
    const weekly = { repeat: { every: "week", until: "2025-03-25" } };
    expect(await take("09:00", "10:00", weekly)).toMatchObject({ status: 201, body: { count: 4, request: null } });
    expect(await free("2025-03-25")).toEqual(["10:00-12:00"]);
    const refused = await take("11:00", "12:00", { repeat: { every: "day", until: "2025-03-08" } });
    expect([refused.status, refused.text.includes("2025-03-08")]).toEqual([422, true]); // a Saturday
    const count = async () => (await sql("SELECT id FROM reservations WHERE ci_id = $1", [item.id])).length;
    expect(await count()).toBe(4);
    for (const repeat of [
      "week",
      { every: "month", until: "2025-04-01" },
      { every: "day" },
      { every: "day", until: "2025-03-01" },
      { every: "day", until: "2026-03-01" },
    ])
      expect((await take("11:00", "12:00", { repeat })).status, JSON.stringify(repeat)).toBe(422);
    const once = await offerRoom();
    expect((await once.take("09:00", "10:00", weekly)).status).toBe(422);
  });

  test("D-399: an offering with templates creates a request with one that the person may use", async () => {
    const { offer, take } = await offerRoom();
    const link = (id: number) => admin.post(`/reservation_offerings/${offer.id}/request_templates/${id}`);
    await link((await create("request_template", { service_id: covered.id, end_users: false })).id);
    expect((await take("09:00", "09:30")).body.request).toBeNull();
    const catering = await create("request_template", { subject: "Catering", service_id: covered.id, category: null });
    await link(catering.id);
    const offered = (await loadPortal("/reservations")).body.offers.find(({ id }: { id: number }) => id === offer.id);
    expect(offered.templates).toMatchObject([{ id: catering.id, subject: "Catering" }]);
    const { status, body, text } = await take("10:00", "11:00", { custom_fields: { cups: "4" }, note: "No milk" });
    expect(status, text).toBe(201);
    const read = async () => (await requester.get(`/requests/${body.request}`)).body;
    expect(await read()).toMatchObject({
      ...{ category: "reservation", status: "reservation_pending", reservation: { id: body.id } },
      ...{ requested_for: { id: rita }, custom_fields: { cups: "4" } },
    });
    expect((await admin.get(`/reservations/${body.id}`)).body.request.id).toBe(body.request);
    await requester.delete(`${at}/reservations/${body.id}`);
    expect((await read()).status).toBe("assigned");
    await link((await create("request_template", { subject: "Cleaning", service_id: covered.id })).id);
    expect((await take("11:00", "12:00")).status).toBe(422);
    expect((await take("11:00", "12:00", { template: catering.id })).status).toBe(201);
    expect((await take("11:00", "12:00", { template: 1_000_000 })).status).toBe(422);
  });

  test("offerings for the person are found among any number of offerings for others", async () => {
    const foreign = await agree.instance({ service_id: other.id });
    const { offer } = await offerRoom({ name: "A room", service_instance_id: foreign.id });
    await sql(
      `INSERT INTO reservation_offerings SELECT (jsonb_populate_record(o, jsonb_build_object('id', 900000 + n, 'name', 'A room ' || n))).*
FROM reservation_offerings o, generate_series(1, 110) n WHERE o.id = ${offer.id}`,
    );
    const own = await offerRoom({ name: "Zenith" });
    const { offers } = (await loadPortal("/reservations")).body;
    const names = offers.map(({ name }: { name: string }) => name);
    expect(names).toContain("Zenith");
    expect(names.filter((name: string) => name.startsWith("A room"))).toEqual([]);
    expect(await own.free()).toEqual(["09:00-12:00"]);
    expect((await loadPortal(`/reservation_offerings/${offer.id}/free?date=${day}`)).status).toBe(403);
  });

  test("a reservation is for the person who makes it, and only they can cancel it", async () => {
    const { take, free } = await offerRoom({ initial_status: "pending" });
    const { body } = await take("09:00", "11:00");
    expect(body.status).toBe("pending");
    const { own } = (await loadPortal("/reservations")).body;
    expect(own.find(({ id }: { id: number }) => id === body.id)).toMatchObject({
      name: "Interview",
      ci: { name: "Prism" },
    });
    const kim = as("keyContact");
    expect((await kim.delete(`${at}/reservations/${body.id}`)).status).toBe(403);
    expect((await requester.delete(`${at}/reservations/${body.id}`)).status).toBe(204);
    expect((await requester.delete(`${at}/reservations/${body.id}`)).status).toBe(204);
    expect(await free()).toEqual(["09:00-12:00"]);
    for (const id of ["0", "x", "999999999"])
      expect([403, 404]).toContain((await requester.delete(`${at}/reservations/${id}`)).status);
  });
});

describe("the shop", () => {
  const at = "/portal";
  const order = () => requester.post(`${at}/orders`, {});

  test("the cart becomes an order; a line is completed with its request, the order with its last line", async () => {
    expect((await order()).status).toBe(422);
    const template = await create("request_template", {
      ...{ subject: "Deliver it", category: "fulfillment", end_users: false, service_id: other.id },
    });
    const sell = (name: string, members: Record<string, unknown> = {}) =>
      create("shop_article", {
        ...{ name, reference: name, fulfillment_template_id: template.id, price: "10", price_currency: "eur" },
        ...{ max_quantity: 3, disabled: false, start_at: null, end_at: null, ...members },
      });
    const [phone, mouse, gone] = [await sell("Phone"), await sell("Mouse"), await sell("Gone")];
    const put = async (article: { id: number }, quantity = 1) =>
      (await requester.post("/shop_order_lines", { shop_article_id: article.id, quantity })).body;
    const lines = [await put(phone, 2), await put(mouse), await put(gone)];
    // Articles that are unavailable or exceed their maximum are reported, and nothing is ordered.
    await admin.patch(`/shop_articles/${gone.id}`, { disabled: true });
    expect(await order()).toMatchObject({ status: 422 });
    const kim = as("keyContact");
    expect((await kim.delete(`${at}/cart/${lines[2].id}`)).status).toBe(404);
    expect((await requester.delete(`${at}/cart/${lines[2].id}`)).status).toBe(204);
    await requester.patch(`/shop_order_lines/${lines[0].id}`, { quantity: 4 });
    expect((await order()).status).toBe(422);
    await requester.patch(`/shop_order_lines/${lines[0].id}`, { quantity: 2 });
    const placed = await order();
    expect(placed).toMatchObject({ status: 201, body: { lines: [lines[0].id, lines[1].id] } });
    expect((await order()).status).toBe(422);
    const read = async (id: number) => (await requester.get(`/shop_order_lines/${id}`)).body;
    const [first, second] = [await read(lines[0].id), await read(lines[1].id)];
    expect(first).toMatchObject({ status: "fulfillment_pending", order: { id: placed.body.order } });
    expect(first.ordered_at).not.toBeNull();
    expect((await requester.get(`/requests/${placed.body.order}`)).body).toMatchObject({
      category: "order",
      subject: "Phone, Mouse",
    });
    // An ordered line is fixed: neither its quantity can be changed nor the line be removed.
    expect((await requester.patch(`/shop_order_lines/${first.id}`, { quantity: 1 })).status).toBe(422);
    expect((await requester.delete(`${at}/cart/${first.id}`)).status).toBe(404);
    const finish = (line: { fulfillment_request: { id: number } }, reason: string) =>
      admin.patch(`/requests/${line.fulfillment_request.id}`, {
        ...{ team_id: 1, member_id: sam, status: "completed", completion_reason: reason, note: "Done" },
      });
    expect((await finish(first, "solved")).status).toBe(200);
    expect((await read(first.id)).status).toBe("completed");
    expect((await admin.get(`/requests/${placed.body.order}`)).body.status).not.toBe("completed");
    await finish(second, "solved");
    expect((await admin.get(`/requests/${placed.body.order}`)).body.status).toBe("completed");
  });
});

test("D-400: requesters add and remove watches of their own requests, for people they may read", async () => {
  const { body: mine } = await requester.post("/requests", { category: "incident", subject: "Mine" });
  const { body: other } = await admin.post("/requests", {
    category: "other",
    requested_for_id: sam,
    requested_by_id: sam,
  });
  const added = await requester.post(`/requests/${mine.id}/watches`, { person_id: rita });
  expect(added.status).toBe(201);
  expect((await requester.post(`/requests/${mine.id}/watches`, { person_id: sam })).status).toBe(422);
  expect((await requester.post(`/requests/${other.id}/watches`, { person_id: rita })).status).toBe(403);
  // A watcher can't change the watches.
  await admin.post(`/requests/${other.id}/watches`, { person_id: rita });
  expect((await requester.get(`/requests/${other.id}`)).status).toBe(200);
  expect((await requester.post(`/requests/${other.id}/watches`, { person_id: rita })).status).toBe(403);
  expect((await requester.delete(`/requests/${other.id}/watches`)).status).toBe(403);
  expect((await requester.delete(`/requests/${mine.id}/watches/${added.body.id}`)).status).toBe(204);
  expect((await requester.get(`/requests/${mine.id}/watches`)).body).toEqual([]);
});

test("D-397: an article is read in the reader's language, its views are counted, and staff instructions are hidden from requesters", async () => {
  const article = await create("knowledge_article", {
    ...{ subject: "Paper jam", description: "It blinks", instructions: "Open it", staff_instructions: "Secret tray" },
    ...{ service_id: covered.id, status: "validated" },
  });
  const path = `/knowledge_articles/${article.id}`;
  const read = async (query = "") => (await loadPortal(`/articles/${article.id}${query}`)).body;
  expect(await read()).toMatchObject({ subject: "Paper jam", locale: "en-US", locales: ["en-US"] });
  const dutch = { locale: "nl", subject: "Papier vast", description: "Het knippert", instructions: "Maak open" };
  expect((await admin.post(`${path}/translations`, dutch)).status).toBe(201);
  expect(await read()).toMatchObject({ ...dutch, id: article.id, locales: ["en-US", "nl"] });
  expect(await read("?locale=en-US")).toMatchObject({ subject: "Paper jam" });
  expect((await loadPortal(`/articles/${article.id}?locale=../x`)).status).toBe(400);
  const listed = (await loadPortal("/articles")).body.find(({ id }: { id: number }) => id === article.id);
  expect(listed.subject).toBe("Papier vast");
  expect(JSON.stringify((await loadPortal()).body.articles)).toContain("Papier vast");
  const hits = (await loadPortal("/articles/search?text=paper%20jam")).body;
  expect(hits).toEqual([{ id: article.id, title: "Papier vast", details: "Het knippert" }]);
  // An article is also found by words of a translation. Search results outside the portal have the article's own title
  // and the matching text.
  expect((await loadPortal("/articles/search?text=knippert")).body).toEqual(hits);
  const [found] = (await requester.get("/search?q=papier%20vast")).body;
  expect(found).toMatchObject({ id: article.id, title: "Paper jam", details: "Het knippert" });
  const [original] = (await requester.get("/search?q=jam")).body;
  expect(original).toMatchObject({ id: article.id, title: "Paper jam", details: "It blinks" });
  const { articles } = (await requester.get("/suggestions?text=Paper%20jam")).body;
  expect(articles).toMatchObject([{ id: article.id, subject: "Papier vast", description: "Het knippert" }]);
  expect((await loadPortal("/articles/search?text=%00")).status).toBe(400);
  for (let count = 0; count < 2; count += 1)
    expect((await requester.post(`/portal/articles/${article.id}/views`, {})).status).toBe(204);
  const seen = (await as("specialist").get(path)).body;
  expect([seen.times_viewed, seen.staff_instructions]).toEqual([2, "Secret tray"]);
  expect(Date.parse(seen.updated_at)).toBe(Date.parse(article.updated_at));
  const texts = [
    await requester.get(path),
    await loadPortal(`/articles/${article.id}`),
    await requester.get("/search?q=secret"),
  ];
  for (const { text } of texts) expect(text).not.toContain("Secret tray");
});

describe("D-398: UI extensions with a script", () => {
  const extend = async (category: string, members: Record<string, unknown>) => {
    const made = await admin.post("/ui_extensions", { name: `Form ${category}`, category, activate: true, ...members });
    expect(made.status, made.text).toBe(201);
    return made.body as { id: number; active_version: { id: number } };
  };
  const frame = (id: number, by = session) => by.get(`${here.url}/extension/${id}`, { Accept: "text/html" });

  test("their form is a document without an origin, for people who may use it", async () => {
    const javascript = 'const text = "</script><script>alert(1)</script>";';
    const members = { html: '<label>Day <input name="day" required></label>', javascript, css: "b{}</style>" };
    const [own, foreign] = [await extend("request_template", members), await extend("request_template", members)];
    const template = (service_id: number, ui_extension_id: number) =>
      create("request_template", { service_id, ui_extension_id });
    const [mine] = [await template(covered.id, own.id), await template(other.id, foreign.id)];
    const version = own.active_version.id;
    expect((await loadPortal(`/forms/${mine.id}`)).body.frame).toBe(version);
    const page = await frame(version);
    expect(page.status).toBe(200);
    const policy = page.headers.get("content-security-policy") ?? "";
    for (const part of ["sandbox allow-scripts;", "default-src 'none'", "script-src 'nonce-", "frame-ancestors 'self'"])
      expect(policy).toContain(part);
    expect(policy).not.toContain("allow-same-origin");
    expect(page.text.match(/<script/gi)).toHaveLength(2);
    expect(page.text.match(/<\/style>/g)).toHaveLength(2);
    for (const id of [foreign.active_version.id, 1_000_000]) expect((await frame(id)).status).toBe(404);
    const designer = await signInClient(here, "administrator");
    expect((await frame(foreign.active_version.id, designer)).status).toBe(200);
    const stranger = await signInClient(here, "stranger");
    expect((await frame(version, stranger)).status).toBe(404);
    await admin.patch(`/ui_extensions/${own.id}`, { disabled: true });
    expect((await frame(version)).status).toBe(404);
  });

  test("a shop article asks the questions in its form, and the answers are passed to the people who deliver it", async () => {
    const fields = [{ id: "size", type: "choice", label: "Size", required: true, options: ["S", "M"] }];
    const { id } = await extend("shop_article", { form_definition_json: JSON.stringify({ fields }) });
    const template = await create("request_template", {
      subject: "Deliver it",
      category: "fulfillment",
      end_users: false,
    });
    const shirt = await create("shop_article", {
      ...{ name: "Shirt", reference: "shirt", ui_extension_id: id, fulfillment_template_id: template.id },
      ...{ disabled: false, start_at: null, end_at: null },
    });
    const form = (await loadPortal(`/shop_articles/${shirt.id}/form`)).body;
    expect(form).toMatchObject({ frame: null, fields: [{ id: "size", required: true }] });
    const line = { shop_article_id: shirt.id, custom_fields: { size: "M" } };
    expect((await requester.post("/shop_order_lines", line)).status).toBe(201);
    const placed = await requester.post("/portal/orders", {});
    expect(placed.status, placed.text).toBe(201);
    const { fulfillment_request } = (await requester.get(`/shop_order_lines/${placed.body.lines[0]}`)).body;
    const delivery = (await admin.get(`/requests/${fulfillment_request.id}`)).body;
    expect(JSON.stringify(delivery.custom_fields)).toContain('"M"');
  });
});

describe("without JavaScript", () => {
  test("signing in from the address on a label leads to the device, and reveals nothing to others", async () => {
    const item = await create("ci", { name: "Printer", status: "in_production", support_team_id: 1 });
    const browser = new FormBrowser(here.url);
    const first = await browser.get(`/q/${item.id}`);
    expect([first.status, first.location]).toEqual([302, `/sign_in?return_to=${encodeURIComponent(`/q/${item.id}`)}`]);
    const form = await browser.get(first.location);
    const signedIn = await browser.submit(form, "/sign_in", {
      email: "rita@widget.example",
      password: passwordFor("requester"),
    });
    expect([signedIn.status, signedIn.location]).toEqual([302, `/q/${item.id}`]);
    expect((await browser.get(signedIn.location)).location).toBe(`/a/widget-it/cis/${item.id}`);
    for (const path of ["/q/0", "/q/x", "/q/2147483648", "/q/999999", "/q/1%27"])
      expect((await browser.get(path)).status, path).toBe(404);
    await setPasswords(here, "stranger");
    const stranger = new FormBrowser(here.url);
    await stranger.signIn("stranger");
    expect((await stranger.get(`/q/${item.id}`)).status).toBe(404);
  });

  test("the link in an email rates a solution once", async () => {
    const { body: request } = await requester.post("/requests", { category: "incident", subject: "Slow" });
    await admin.patch(`/requests/${request.id}`, { status: "completed", completion_reason: "solved", note: "Done" });
    const { feedback } = (await admin.get(`/requests/${request.id}`)).body;
    const address: string = feedback.requested_for.satisfied_url;
    const browser = new FormBrowser(here.url);
    const page = await browser.get(address);
    expect([page.status, page.text.includes("<script")]).toEqual([200, false]);
    const answer = () => fetch(address, { method: "POST", body: new URLSearchParams() });
    expect([(await answer()).status, (await answer()).status]).toEqual([200, 404]);
    expect((await admin.get(`/requests/${request.id}`)).body.satisfaction).toBe("satisfied");
  });
});
