import { expect, test } from "vitest";
import { hashToken } from "../../server/oauth/tokens.ts";
import { requestHelpers } from "../support/records/requests.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { tokenFor } from "../support/seed.ts";
import { type Client, world } from "../support/world.ts";

// Access to planned work by token scope, role and row: graphs, dates, workload, boards, backlogs, sprints and figures.

const here = await world();
const { as, sql, withToken, log } = here;
const { admin, create, request, team } = requestHelpers(here);
const { workflow, task, project, projectTask } = workflowHelpers(admin);
const specialist = as("specialist");
const [rita, sam] = [5, 3];

let tokens = 0;
async function withScopes(...actions: string[]): Promise<Client> {
  const name = `scopes ${++tokens}`;
  await sql(
    "INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) VALUES ('widget-it', 1, 'personal', $1, $2, $3, now())",
    [name, hashToken(tokenFor(name)), JSON.stringify([{ effect: "allow", actions, accounts: [] }])],
  );
  return withToken(tokenFor(name), { account: "widget-it" });
}

/** A workflow, a project, a board and a backlog with a record in each, all called "Secret". */
const plan = await (async () => {
  const secret = { subject: "Secret change" };
  const change = await workflow(secret);
  const approval = await task(change, { category: "approval", status: "assigned", subject: "Secret approval" });
  await admin.post(`/tasks/${approval.id}/approvals`, { approver_id: rita });
  const hidden = await task(change, { subject: "Secret step", predecessor_ids: [approval.id] });
  const build = await project({ subject: "Secret project" });
  const own = await projectTask(build, { subject: "Secret brick" });
  await admin.post(`/project_tasks/${own.id}/assignments`, { assignee_id: rita });
  const wall = await projectTask(build, { subject: "Secret wall", predecessor_ids: [own.id] });
  const board = await create("agile_board");
  const column = (await admin.post(`/agile_boards/${board.id}/agile_board_columns`, { name: "To do" })).body;
  const backlog = await create("product_backlog");
  const members = await team(sam);
  const space = await create("scrum_workspace", {
    agile_board_id: board.id,
    product_backlog_id: backlog.id,
    team_id: members,
    sprint_length: 2,
  });
  const sprint = (await admin.post("/sprints", { scrum_workspace_id: space.id })).body;
  const card = await request({ subject: "Secret card", agile_board_column_id: column.id, requested_for_id: rita });
  const idea = await request({ subject: "Secret idea", product_backlog_id: backlog.id });
  const { items } = (await admin.get(`/product_backlogs/${backlog.id}/items`)).body;
  const planned = { request_id: idea.id, estimate: 3 };
  expect((await admin.post(`/sprints/${sprint.id}/sprint_backlog_items`, planned)).status).toBe(201);
  const item = items[0].backlog_item as number;
  return { change, approval, hidden, build, own, wall, board, backlog, members, sprint, card, idea, item };
})();

type Attempt = { path: string; scope: string; method?: "PATCH" | "POST"; body?: Record<string, unknown> };
const attempts: readonly Attempt[] = [
  { path: `/workflows/${plan.change.id}/graph`, scope: "workflow:Read" },
  {
    path: `/workflows/${plan.change.id}/graph?move=${plan.hidden.id}&start_at=2025-03-05T09:00:00Z`,
    scope: "workflow:Read",
  },
  { path: `/workflows/${plan.change.id}/tasks`, scope: "workflow:Read" },
  { path: `/projects/${plan.build.id}/graph`, scope: "project:Read" },
  { path: `/projects/${plan.build.id}/phases`, scope: "project:Read" },
  { path: `/projects/${plan.build.id}/workload`, scope: "project:Read" },
  { path: `/teams/${plan.members}/workload`, scope: "team:Read" },
  { path: `/agile_boards/${plan.board.id}/items`, scope: "agile-board:Read" },
  { path: `/product_backlogs/${plan.backlog.id}/items`, scope: "product-backlog:Read" },
  { path: "/requests/summary?by=team", scope: "request:Read" },
  { path: "/tasks/summary?by=status", scope: "task:Read" },
  { path: `/tasks/${plan.hidden.id}`, scope: "task:Update", method: "PATCH", body: { planned_duration: 30 } },
  { path: `/requests/${plan.card.id}`, scope: "request:Update", method: "PATCH", body: { impact: "low" } },
  {
    path: `/product_backlogs/${plan.backlog.id}/product_backlog_items/${plan.item}`,
    scope: "product-backlog:Update",
    method: "PATCH",
    body: { estimate: 8 },
  },
  { path: `/sprints/${plan.sprint.id}/start`, scope: "sprint:Update", method: "POST" },
  { path: `/sprints/${plan.sprint.id}/complete`, scope: "sprint:Update", method: "POST" },
];
const send = (by: Client, { path, method, body = {} }: Attempt) =>
  by.send(method ?? "GET", path, method === undefined ? undefined : body);

test("a token reads and changes planned work only with the scope of that type and action", async () => {
  const [nothing, everythingElse] = [await withScopes("broadcast:Read"), new Map<string, Client>()];
  const scopes = [...new Set(attempts.map(({ scope }) => scope))];
  // A token with all scopes of this test but one shows that no other scope grants access.
  for (const scope of scopes) everythingElse.set(scope, await withScopes(...scopes.filter((each) => each !== scope)));
  for (const attempt of attempts) {
    expect([attempt.path, (await send(nothing, attempt)).status]).toEqual([attempt.path, 403]);
    const lacking = await send(everythingElse.get(attempt.scope) as Client, attempt);
    expect([attempt.path, lacking.status]).toEqual([attempt.path, 403]);
    expect(lacking.text).not.toContain("Secret");
  }
  expect((await admin.get(`/sprints/${plan.sprint.id}`)).body.status).toBe("registered");
  expect((await admin.get(`/tasks/${plan.hidden.id}`)).body.planned_duration).toBe(60);
});

test("people without a role read their own records, never the plan, board or figures that contain them", async () => {
  const requester = as("requester");
  expect((await requester.get(`/tasks/${plan.approval.id}`)).body.subject).toBe("Secret approval");
  expect((await requester.get(`/project_tasks/${plan.own.id}`)).body.subject).toBe("Secret brick");
  for (const role of ["requester", "keyContact"] as const)
    for (const attempt of attempts) {
      const isSummary = attempt.path.includes("/summary");
      const reply = await send(as(role), attempt);
      // Figures only cover rows that the caller may read.
      if (isSummary) expect([role, attempt.path, reply.status <= 403]).toEqual([role, attempt.path, true]);
      else expect([role, attempt.path, reply.status]).toEqual([role, attempt.path, 403]);
      expect(reply.text).not.toContain("Secret");
    }
  const { total } = (await requester.get("/requests/summary")).body;
  expect(total.count).toBe(1); // of two requests, the one for her
  expect((await requester.get("/tasks/summary")).body.total.count).toBe(1);
  for (const path of [`/tasks/${plan.hidden.id}`, `/project_tasks/${plan.wall.id}`])
    expect((await requester.get(path)).status).toBe(403);
  for (const attempt of attempts)
    if (!attempt.path.includes("/summary"))
      expect([attempt.path, (await send(as("stranger"), attempt)).status]).toEqual([attempt.path, 404]);
  const auditor = as("auditor");
  for (const attempt of attempts)
    expect([attempt.path, (await send(auditor, attempt)).status]).toEqual([
      attempt.path,
      attempt.method === undefined ? 200 : 403,
    ]);
});

test("a project's cost is the time at people's rates plus its invoices, for callers who may read rates", async () => {
  const path = `/projects/${plan.build.id}/workload`;
  expect((await admin.get(path)).body).toMatchObject({ time_spent: 0, money_spent: [] });
  const entry = { date: "2025-03-03", time_spent: 120, person_id: sam, project_task_id: plan.own.id };
  expect((await admin.post("/time_entries", entry)).status).toBe(201);
  const invoice = { quantity: 2, unit_price: 1000.25, project_id: plan.build.id, contract_id: undefined };
  await create("invoice", { ...invoice, currency: "eur" });
  await create("invoice", { ...invoice, currency: "usd", quantity: 1 });
  const money = [
    { currency: "EUR", effort: 175, purchases: 2000.5 },
    { currency: "USD", effort: 0, purchases: 1000.25 },
  ];
  for (const role of ["administrator", "auditor"] as const)
    expect((await as(role).get(path)).body).toMatchObject({ time_spent: 120, money_spent: money });
  expect((await specialist.get(path)).body).toMatchObject({ time_spent: 120, money_spent: null });
  expect((await admin.get(`/teams/${plan.members}/workload`)).body.money_spent).toBeNull();
});

test("archived and trashed records are removed from boards, backlogs and their sprints", async () => {
  const names = async (path: string, by: Client) => (await by.get(path)).text.match(/Secret \w+/g) ?? [];
  const [board, backlog] = [`/agile_boards/${plan.board.id}/items`, `/product_backlogs/${plan.backlog.id}/items`];
  expect(await names(board, specialist)).toContain("Secret card");
  expect(await names(backlog, specialist)).toContain("Secret idea");
  for (const { path } of [plan.card, plan.idea]) {
    await admin.patch(path, { status: "completed", completion_reason: "solved", note: "Done" });
    expect((await admin.post(`${path}/trash`)).status).toBe(200);
  }
  for (const path of [board, backlog])
    for (const by of [specialist, admin, as("auditor")]) expect([path, await names(path, by)]).toEqual([path, []]);
  expect(log.filter((line) => JSON.parse(line).level === "error")).toEqual([]);
});
