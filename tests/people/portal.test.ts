import { describe, expect, test } from "vitest";
import { parseFormDefinition, parseHtmlFields } from "../../server/actions/portal/form-fields.ts";
import { signInClient } from "../support/clients/session-client.ts";
import { randomNumbers } from "../support/random.ts";
import { requestHelpers } from "../support/records/requests.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { type Reply, world } from "../support/world.ts";

// What the portal shows a requester beside the records of the REST API, and what it never shows: AZ17.

const here = await world();
const { as, sql } = here;
const { admin, made, mails } = requestHelpers(here);
const agree = serviceAgreements(admin);
const make = workflowHelpers(admin);
const [rita, sam] = [5, 3];
const requester = as("requester");
const session = await signInClient(here, "requester");
const portal = (path = "", account = "widget-it") => session.get(`/accounts/${account}/portal${path}`);
const ids = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id).sort((one, other) => one - other);

const [covered, other] = [
  await agree.service({ knowledge_manager_id: 1 }),
  await agree.service({ name: "Secret service", knowledge_manager_id: 1 }),
];
const instance = await agree.instance({ service_id: covered.id });
const offering = await agree.make("/service_offerings", { name: "Offering", service_id: covered.id });
const sla = await agree.make("/slas", {
  name: "SLA",
  service_offering_id: offering.id,
  service_instance_id: instance.id,
  customer_id: 1,
  customer_account_id: "widget",
  customer_representative_ids: [rita],
  coverage: "people",
  status: "active",
});
await admin.post(`/slas/${sla.id}/people/${rita}`);

test("AZ17: whatever there is, the portal shows a requester what coverage and rights give, and nothing else", async () => {
  const random = randomNumbers("portal rights");
  const flip = () => random() < 0.5;
  const templates = new Map<number, boolean>();
  const articles = new Map<number, boolean>();
  const requests = new Map<number, boolean>();
  for (let count = 0; count < 10; count += 1) {
    const [isCovered, forEndUsers, isOn, isMine] = [flip(), flip(), flip(), flip()];
    const service_id = isCovered ? covered.id : other.id;
    const shown = isCovered && forEndUsers && isOn;
    const subject = shown ? `Shown ${count}` : `Secret ${count}`;
    const template = await made("request_template", { subject, service_id, end_users: forEndUsers, disabled: !isOn });
    templates.set(template.id, shown);
    const status = isOn ? "validated" : "not_validated";
    const article = await made("knowledge_article", { subject, service_id, end_users: forEndUsers, status });
    articles.set(article.id, shown);
    const { body: request } = await admin.post("/requests", {
      category: "other",
      subject: isMine ? `Shown ${count}` : `Secret ${count}`,
      requested_by_id: isMine ? rita : sam,
      requested_for_id: isMine ? rita : sam,
      internal_note: "Secret between us",
    });
    requests.set(request.id, isMine);
  }
  const pick = (all: ReadonlyMap<number, boolean>) => [...all].filter(([, shown]) => shown).map(([id]) => id);
  const home = await portal();
  expect(home.status).toBe(200);
  expect(ids(home.body.templates)).toEqual(pick(templates));
  expect(ids(home.body.services)).toEqual([covered.id]);
  for (const { id } of home.body.articles) expect(articles.get(id)).toBe(true);
  const lists = await Promise.all(["open", "solved", "all"].map((show) => portal(`/requests?show=${show}`)));
  expect(ids((lists[0] as Reply).body.items)).toEqual(pick(requests));
  const answers = [home, ...lists, await portal("/approvals"), await portal("/broadcasts")];
  for (const [id, shown] of templates) {
    const form = await portal(`/forms/${id}`);
    expect(form.status, `template ${id}`).toBe(shown ? 200 : 403);
    answers.push(form);
  }
  for (const [id, shown] of requests) {
    const progress = await portal(`/requests/${id}`);
    expect(progress.status, `request ${id}`).toBe(shown ? 200 : 403);
    const added = await session.post(`/accounts/widget-it/portal/requests/${id}/watchers`, {
      email: "kim@widget.example",
    });
    expect(added.status, `request ${id}`).toBe(shown ? 201 : 403);
    answers.push(progress);
  }
  for (const { text } of answers) expect(text).not.toContain("Secret");
  for (const account of ["provider", "stranger", "nowhere"]) expect((await portal("", account)).status).toBe(403);
  for (const path of ["/forms/x", "/requests/0", "/requests?show=everything", "/approvals/99999999999"])
    expect((await portal(path)).status, path).toBeGreaterThanOrEqual(400);
  expect((await portal("/requests?show=everything")).status).toBe(400);
});

test("colleagues follow a request by their address, and only those who asked for it decide who", async () => {
  const { body: request } = await requester.post("/requests", { category: "incident", subject: "Ours" });
  const at = `/accounts/widget-it/portal/requests/${request.id}/watchers`;
  const added = await session.post(at, { email: "Kim@Widget.example" });
  expect(added.body).toMatchObject({ person: { id: 6, name: "Kim Contact" } });
  expect((await session.post(at, { email: "kim@widget.example" })).body.id).toBe(added.body.id);
  // Somebody of another company is as unknown as nobody.
  for (const email of ["stella@stranger.example", "nobody@widget.example", "", 5])
    expect((await session.post(at, { email })).status, String(email)).toBe(422);
  const follower = await signInClient(here, "keyContact");
  expect((await as("keyContact").get(`/requests/${request.id}`)).status).toBe(200);
  expect((await follower.post(at, { email: "sam@widget.example" })).status).toBe(403);
  expect((await follower.delete(`${at}/${added.body.id}`)).status).toBe(403);
  expect((await as("keyContact").patch(`/requests/${request.id}`, { status: "completed" })).status).toBe(403);
  expect((await session.delete(`${at}/${added.body.id}`)).status).toBe(204);
  expect((await requester.get(`/requests/${request.id}/watches`)).body).toEqual([]);
});

describe("approvals", () => {
  async function ask(subject: string) {
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
  const status = async (task: number) => (await admin.get(`/tasks/${task}`)).body.status;
  const linksTo = async (task: number): Promise<{ approve: string; reject: string }> => {
    await mails();
    const rows = await sql<{ body: string }>(
      "SELECT body FROM mails WHERE record_type = 'task' AND record_id = $1 AND recipient = 'rita@widget.example' ORDER BY id DESC",
      [task],
    );
    const find = (decision: string) =>
      here.url + (new RegExp(`/approvals/\\d+/\\d+/${decision}/[0-9a-f]{40}`).exec(rows[0]?.body ?? "")?.[0] ?? "");
    return { approve: find("approved"), reject: find("rejected") };
  };
  const send = (url: string, form: Record<string, string> = {}) =>
    fetch(url, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });

  test("whoever is asked sees what the decision is about, decides, and finds it in the history", async () => {
    const { task, request } = await ask("Second screen");
    const [approval] = (await portal("/approvals")).body.open;
    expect(approval).toMatchObject({
      task,
      subject: "Approve the purchase",
      request: { id: request, subject: "Second screen", requested_for: "Sam Specialist", note: "For the new desk" },
    });
    // The request itself stays closed to the approver.
    expect((await requester.get(`/requests/${request}`)).status).toBe(403);
    expect((await portal()).body.approvals.total).toBe(1);
    expect((await requester.patch(`/tasks/${task}`, { status: "approved" })).status).toBe(200);
    const after = (await portal("/approvals")).body;
    expect([after.open, after.decided[0].task, after.decided[0].votes]).toEqual([
      [],
      task,
      [{ name: "Rita Requester", status: "approved" }],
    ]);
    const stranger = await ask("Another screen");
    await admin.patch(`/tasks/${stranger.task}`, { status: "canceled" });
    expect((await portal(`/approvals/${stranger.task}`)).body.status).toBe("canceled");
  });

  test("AP14: the links of the mail ask for confirmation, decide once, and say by whom when they were used", async () => {
    const { task } = await ask("A chair");
    const { approve, reject } = await linksTo(task);
    const page = await fetch(approve);
    // The approver reads Dutch.
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Wilt u dit goedkeuren?")]);
    expect(await status(task)).toBe("assigned");
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
    expect(await status(task)).toBe("approved");
    for (const answer of [await fetch(approve), await send(approve), await send(reject, { note: "No" })])
      expect([answer.status, await answer.text()]).toEqual([410, expect.stringContaining("Rita Requester")]);
    expect((await admin.get(`/tasks/${task}/notes`)).body[0].text).toBe("Fine");
  });

  test("AP14: a link for an earlier assignment does not decide about a later one", async () => {
    const { task } = await ask("A lamp");
    const { approve } = await linksTo(task);
    await admin.patch(`/tasks/${task}`, { status: "canceled" });
    await admin.patch(`/tasks/${task}`, { status: "assigned" });
    expect((await send(approve)).status).toBe(410);
    expect(await status(task)).toBe("assigned");
  });
});

describe("forms of UI extensions", () => {
  test("the form of the designer gives the fields; a section passes its condition on", async () => {
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

  test("without one, the inputs of the HTML do; scripts and styles have no part in it", async () => {
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
