import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { expectUsable, openBrowserAs, visit } from "../support/clients/signed-in-page.ts";
import { randomNumbers } from "../support/random.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import type { Role } from "../support/seed.ts";
import { story } from "../support/story.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

// Boards, backlogs and projects in two browsers: with pointer, keyboard and menu.

let here: World;
let browser: Browser;
let sam: Page;
let mia: Page;
const api = () => here.as("administrator");

type Card = { id: number; subject: string; position: number; estimate: number | null };
type Column = { id: number; name: string; items: Card[] };

const space = { board: 0, backlog: 0, workspace: 0, team: 0, columns: [] as number[] };

async function create(path: string, members: Record<string, unknown>) {
  const { status, body, text } = await api().post(path, members);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body;
}

async function buildWorkspace(): Promise<void> {
  const [board, backlog, team] = [
    await create("/agile_boards", { name: "Portal Board", manager_id: 3 }),
    await create("/product_backlogs", { name: "Portal backlog", product_goal: "Certificates", product_owner_id: 3 }),
    await create("/teams", { name: "Portal" }),
  ];
  for (const person of [3, 9]) await api().post(`/teams/${team.id}/members/${person}`);
  for (const column of [
    { name: "To do" },
    { name: "Doing", action_type: "start" },
    { name: "Review", wip_limit: 1 },
    { name: "Done", action_type: "complete", dialog_type: "full" },
  ])
    space.columns.push((await create(`/agile_boards/${board.id}/agile_board_columns`, column)).id);
  const workspace = await create("/scrum_workspaces", {
    ...{ name: "Customer Portal", agile_board_id: board.id, product_backlog_id: backlog.id, team_id: team.id },
    sprint_length: 2,
  });
  Object.assign(space, { board: board.id, backlog: backlog.id, team: team.id, workspace: workspace.id });
}

async function open(role: Role, path: string): Promise<Page> {
  const context = await openBrowserAs(here, browser, role);
  await context.clock.setFixedTime(here.clock.now());
  const page = await context.newPage();
  await page.goto(`${here.url}${path}`);
  return page;
}

/** The subjects on the screen, by column. */
const readScreen = (page: Page): Promise<string[][]> =>
  page.evaluate(
    `[...document.querySelectorAll(".column-cards")].map((column) => [...column.querySelectorAll(".card-subject")].map((card) => card.textContent))`,
  );
const readServer = async (): Promise<string[][]> =>
  (await api().get(`/agile_boards/${space.board}/items`)).body.columns.map(({ items }: Column) =>
    items.map(({ subject }) => subject),
  );
const expectBoard = async (wanted: string[][]) => {
  for (const page of [sam, mia])
    await until(async () => JSON.stringify(await readScreen(page)) === JSON.stringify(wanted), {
      what: () => `a board with ${JSON.stringify(wanted)}`,
    });
  expect(await readServer()).toEqual(wanted);
};
const card = (page: Page, subject: string) => page.locator(".board-item", { hasText: subject });
const focus = (page: Page, subject: string) => card(page, subject).locator(".card-face").focus();

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "specialist", "manager");
  await buildWorkspace();
  for (const subject of ["Alpha", "Beta", "Gamma", "Delta"])
    await create("/requests", {
      ...{ subject, category: "other", team_id: space.team },
      agile_board_column_id: space.columns[0],
    });
  browser = await startBrowser();
  const path = `/a/widget-it/agile_boards/${space.board}`;
  [sam, mia] = await Promise.all([open("specialist", path), open("manager", path)]);
});
afterAll(() => browser?.close());

story("cards are moved, completed, edited and handed over by two people on two pages", {
  "cards move with keyboard, menu and pointer; the other browser follows, and a reload shows the same": async () => {
    await expectBoard([["Alpha", "Beta", "Gamma", "Delta"], [], [], []]);
    await focus(sam, "Alpha");
    await sam.keyboard.press("2");
    await expectBoard([["Beta", "Gamma", "Delta"], ["Alpha"], [], []]);
    // The card keeps the focus when it moves, so the next key applies to it.
    await sam.locator(".card-face:focus", { hasText: "Alpha" }).waitFor();

    await focus(sam, "Gamma");
    await sam.keyboard.press("Shift+ArrowUp");
    await expectBoard([["Gamma", "Beta", "Delta"], ["Alpha"], [], []]);
    await sam.keyboard.press("Shift+M");
    await sam.getByRole("menuitem", { name: "Review" }).click();
    await expectBoard([["Beta", "Delta"], ["Alpha"], ["Gamma"], []]);

    await card(mia, "Delta").dragTo(card(mia, "Alpha"), { targetPosition: { x: 60, y: 4 } });
    await expectBoard([["Beta"], ["Delta", "Alpha"], ["Gamma"], []]);
    await card(mia, "Beta").dragTo(mia.getByRole("list", { name: "Review" }), { targetPosition: { x: 60, y: 200 } });
    await expectBoard([[], ["Delta", "Alpha"], ["Gamma", "Beta"], []]);
    await sam.getByText("Over limit").waitFor();
    await sam.reload();
    await sam.locator(".board-item").first().waitFor();
    await expectBoard([[], ["Delta", "Alpha"], ["Gamma", "Beta"], []]);
  },
  "a column that completes requests asks for a note; without one the card stays": async () => {
    await focus(sam, "Delta");
    await sam.keyboard.press("4");
    await sam.getByRole("dialog").waitFor();
    await sam.keyboard.press("Escape");
    await sam.getByRole("dialog").waitFor({ state: "detached" });
    expect(await readScreen(sam)).toEqual([[], ["Delta", "Alpha"], ["Gamma", "Beta"], []]);
    await focus(sam, "Delta");
    await sam.keyboard.press("4");
    await sam.getByRole("dialog").getByRole("textbox").first().fill("Shown, and liked.");
    await sam.getByRole("button", { name: "Complete" }).last().click();
    await expectBoard([[], ["Alpha"], ["Gamma", "Beta"], ["Delta"]]);
    const [done] = (await api().get("/requests?subject=Delta&fields=status,completion_reason")).body;
    expect(done).toMatchObject({ status: "completed", completion_reason: "solved" });
  },
  "when two people move one card, both see the same result; a filter keeps the order of hidden cards": async () => {
    await Promise.all([focus(sam, "Alpha"), focus(mia, "Alpha")]);
    await Promise.all([sam.keyboard.press("1"), mia.keyboard.press("3")]);
    await until(async () => {
      const [one, other, wanted] = [await readScreen(sam), await readScreen(mia), await readServer()];
      return JSON.stringify(one) === JSON.stringify(wanted) && JSON.stringify(other) === JSON.stringify(wanted);
    });
    await focus(sam, "Alpha");
    await sam.keyboard.press("1");
    for (const subject of ["Gamma", "Beta"]) {
      await focus(sam, subject);
      await sam.keyboard.press("1");
    }
    await expectBoard([["Alpha", "Gamma", "Beta"], [], [], ["Delta"]]);
    await visit(sam, `${here.url}/a/widget-it/agile_boards/${space.board}?q=alpha`);
    await card(sam, "Alpha").dragTo(sam.getByRole("list", { name: "Review" }), { targetPosition: { x: 60, y: 100 } });
    await until(
      async () => JSON.stringify(await readServer()) === JSON.stringify([["Gamma", "Beta"], [], ["Alpha"], ["Delta"]]),
    );
    await sam.keyboard.press("f");
    await sam.getByRole("button", { name: "Clear filters" }).click();
    await sam.keyboard.press("Escape");
    await expectBoard([["Gamma", "Beta"], [], ["Alpha"], ["Delta"]]);
  },
  "a card is edited and added on the board; on a phone one column is shown and the menu moves cards": async () => {
    await focus(sam, "Gamma");
    await sam.keyboard.press("Enter");
    await sam.getByRole("textbox", { name: "Subject" }).fill("Gamma rays");
    await sam.getByRole("button", { name: "Save" }).click();
    await card(mia, "Gamma rays").waitFor();
    await sam.getByRole("dialog").waitFor({ state: "detached" });
    await sam.keyboard.press("n");
    await sam.getByRole("textbox", { name: "Subject" }).fill("Epsilon");
    await sam.keyboard.press("Enter");
    await card(mia, "Epsilon").waitFor();
    await expectUsable(sam);
    await sam.getByRole("button", { name: "Other boards" }).click();
    await sam.getByRole("menuitem", { name: "Portal Board" }).waitFor();
    await sam.keyboard.press("Escape");
    await mia.setViewportSize({ width: 390, height: 844 });
    await mia.getByRole("button", { name: /^Review/ }).click();
    await card(mia, "Alpha")
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await mia.getByRole("menuitem", { name: "To do" }).click();
    await card(mia, "Alpha").waitFor({ state: "detached" });
    await mia.setViewportSize({ width: 1440, height: 900 });
    await until(async () => (await readServer())[0]?.at(-1) === "Alpha");
  },
  "a card dropped into another person's lane is assigned to that person": async () => {
    const own = { category: "other", team_id: space.team, agile_board_column_id: space.columns[0] };
    const mine = await create("/requests", { ...own, subject: "For whom", member_id: 3 });
    await create("/requests", { ...own, subject: "For Mia", member_id: 9 });
    await sam.goto(`${here.url}/a/widget-it/agile_boards/${space.board}?lanes=member`);
    await card(sam, "For Mia").waitFor();
    await card(sam, "For whom").dragTo(card(sam, "For Mia"), { targetPosition: { x: 60, y: 4 } });
    await until(async () => (await api().get(`/requests/${mine.id}`)).body.member?.id === 9);
    await sam.getByRole("button", { name: /Undo/ }).click();
    await until(async () => (await api().get(`/requests/${mine.id}`)).body.member?.id === 3);
    await api().patch(`/agile_boards/${space.board}`, { disabled: true });
    await sam.reload();
    await sam.getByText("This board is disabled. You can view it but not change it.").waitFor();
    const before = await readServer();
    await focus(sam, "For whom");
    await sam.keyboard.press("3");
    await sam.keyboard.press("Shift+ArrowDown");
    await api().patch(`/agile_boards/${space.board}`, { disabled: false });
    expect(await readServer()).toEqual(before);
  },
});

test("a board of 300 cards renders and accepts drops; filtering by person keeps the order of the other cards", async () => {
  const board = (await create("/agile_boards", { name: "Everything", manager_id: 3 })).id;
  const columns: number[] = [];
  for (const name of ["Later", "Next", "Now", "Over"])
    columns.push((await create(`/agile_boards/${board}/agile_board_columns`, { name })).id);
  const seed = await create("/requests", {
    ...{ subject: "Card 0", category: "other", team_id: space.team, member_id: 3 },
    agile_board_column_id: columns[0],
  });
  await here.sql(
    `INSERT INTO requests SELECT (jsonb_populate_record(r, jsonb_build_object('id', r.id + n, 'subject', 'Card ' || n,
  'member_id', CASE WHEN n % 3 = 0 THEN 3 ELSE 9 END, 'agile_board_column_id', ($1::int[])[1 + n % 4], 'agile_board_column_position', 1 + n / 4))).*
FROM requests r, generate_series(1, 299) n WHERE r.id = ${seed.id}`,
    [columns],
  );
  await here.sql(`SELECT setval('requests_id_seq', ${seed.id} + 300)`);
  const readColumns = async (): Promise<string[][]> =>
    (await api().get(`/agile_boards/${board}/items`)).body.columns.map(({ items }: Column) =>
      items.map(({ subject }) => subject),
    );
  const path = `${here.url}/a/widget-it/agile_boards/${board}`;
  const started = Date.now();
  await visit(sam, path);
  await sam.getByText("Card 299", { exact: true }).waitFor();
  const drawn = Date.now() - started;
  expect(await readScreen(sam)).toEqual(await readColumns());
  await sam.evaluate(`window.frameTimes = [];
    requestAnimationFrame(function next(now) { window.frameTimes.push(now); requestAnimationFrame(next); });`);
  const face = (subject: string) => card(sam, subject).filter({ has: sam.getByText(subject, { exact: true }) });
  await face("Card 4").hover();
  await sam.mouse.down();
  const over = await face("Card 6").boundingBox();
  await sam.mouse.move((over?.x ?? 0) + 60, (over?.y ?? 0) + 400, { steps: 20 });
  await sam.mouse.move((over?.x ?? 0) + 60, (over?.y ?? 0) + 4, { steps: 20 });
  await sam.mouse.up();
  const times = (await sam.evaluate("window.frameTimes")) as number[];
  await until(async () => (await readColumns())[2]?.[1] === "Card 4");
  const frames = times.slice(1).map((at, index) => at - (times[index] ?? at));
  console.log(
    `300 cards: drawn after ${drawn} ms; ${frames.length} frames of a drag, the longest ${Math.round(Math.max(...frames))} ms`,
  );

  const before = await readColumns();
  await visit(sam, `${path}?member=3`);
  await face("Card 0").dragTo(face("Card 18"), { targetPosition: { x: 60, y: 4 } });
  const [later = [], next, now = [], done] = before;
  const at = now.indexOf("Card 18");
  const wanted = [later.filter((subject) => subject !== "Card 0"), next, now.toSpliced(at, 0, "Card 0"), done];
  await until(async () => JSON.stringify(await readColumns()) === JSON.stringify(wanted));
  expect(at).toBeGreaterThan(1);
});

test("the keyboard ranks, estimates and plans a backlog; sprints start and end one after another", async () => {
  for (const subject of ["Apple", "Berry", "Cherry"])
    await create("/requests", { subject, category: "other", product_backlog_id: space.backlog });
  await visit(sam, `${here.url}/a/widget-it/product_backlogs/${space.backlog}`);
  const row = (subject: string) => sam.locator(".backlog-row", { hasText: subject });
  const items = async (): Promise<Card[]> => (await api().get(`/product_backlogs/${space.backlog}/items`)).body.items;
  const ranks = async () => (await items()).map(({ subject }) => subject);
  await row("Cherry").locator("a").focus();
  await sam.keyboard.press("Shift+T");
  await until(async () => (await ranks()).join() === "Cherry,Apple,Berry");
  await sam.keyboard.press("Shift+ArrowDown");
  await until(async () => (await ranks()).join() === "Apple,Cherry,Berry");
  await sam.keyboard.press("5");
  await until(async () => (await items())[1]?.estimate === 5);
  const random = randomNumbers("moves in a backlog");
  const wanted = ["Apple", "Cherry", "Berry"];
  for (let move = 0; move < 20; move++) {
    const from = Math.floor(random() * 3);
    const [key, to] = (
      [
        ["Shift+ArrowUp", Math.max(0, from - 1)],
        ["Shift+ArrowDown", Math.min(2, from + 1)],
        ["Shift+T", 0],
      ] as const
    )[Math.floor(random() * 3)] ?? ["Shift+T", 0];
    const [subject = ""] = wanted.splice(from, 1);
    wanted.splice(to, 0, subject);
    await row(subject).locator("a").focus();
    await sam.keyboard.press(key);
  }
  await until(async () => (await ranks()).join() === wanted.join());
  expect(await sam.locator(".backlog-row a").allTextContents()).toEqual(wanted);
  for (const subject of ["Cherry", "Apple"]) {
    await row(subject).locator("a").focus();
    await sam.keyboard.press("Shift+T");
  }
  await until(async () => (await ranks()).join() === "Apple,Cherry,Berry");
  await sam.getByRole("button", { name: "Plan next sprint" }).click();
  const next = sam.getByRole("region", { name: "Sprint 1" });
  await next.waitFor();
  await row("Cherry").locator("a").focus();
  await sam.keyboard.press("p");
  await next.getByText("Cherry").waitFor();
  await sam.keyboard.press("p");
  await next.getByText("Cherry").waitFor({ state: "detached" });
  await row("Berry").dragTo(sam.locator(".drop-zone"));
  await next.getByText("Berry").waitFor();
  await row("Apple").dragTo(row("Berry"), { targetPosition: { x: 200, y: 30 } });
  await until(async () => (await ranks()).join() === "Cherry,Berry,Apple");
  await sam.getByRole("button", { name: "Start", exact: true }).click();
  await next.getByText("Active").waitFor();
  await until(async () => (await ranks()).join() === "Cherry,Apple");
  await sam.getByRole("button", { name: "Plan next sprint" }).click();
  await sam.getByRole("button", { name: "Start", exact: true }).click();
  await sam.getByText("Sprint 1 is still active. Complete it first.").waitFor();
  await next.getByRole("button", { name: "Complete" }).click();
  await sam.getByRole("radio", { name: "Top of the backlog" }).check();
  await sam.getByRole("dialog").getByRole("button", { name: "Complete" }).click();
  await until(async () => (await ranks()).join() === "Berry,Cherry,Apple");
  // Work that the next sprint leaves unfinished moves to the sprint after it.
  const [second, third] = [2, 3].map((number) => sam.getByRole("region", { name: `Sprint ${number}` }));
  await row("Berry").locator("a").focus();
  await sam.keyboard.press("p");
  await second?.getByText("Berry").waitFor();
  await sam.getByRole("button", { name: "Start", exact: true }).click();
  await second?.getByText("Active").waitFor();
  await sam.getByRole("button", { name: "Plan next sprint" }).click();
  await third?.waitFor();
  await second?.getByRole("button", { name: "Complete" }).click();
  await sam.getByRole("radio", { name: "Sprint 3" }).check();
  await sam.getByRole("dialog").getByRole("button", { name: "Complete" }).click();
  await third?.getByText("Berry").waitFor();
  expect(await ranks()).toEqual(["Cherry", "Apple"]);
  await sam.getByRole("link", { name: "Sprints" }).click();
  await sam.getByRole("button", { name: /^Sprint 1/ }).click();
  await sam.getByText("Show as table").click();
  await sam.getByRole("columnheader", { name: "Points left" }).waitFor();
  await expectUsable(sam);
});

story("a project and a project template are planned: phases, milestones, workload", {
  "a project shows its phases, milestones and the workload from the API": async () => {
    const make = workflowHelpers(api());
    const hours = await make.calendar();
    for (const weekday of ["mon", "tue", "wed", "thu", "fri"])
      await create(`/calendars/${hours.id}/calendar_hours`, { weekday, time_from: "09:00", time_until: "17:00" });
    const { id: project } = await make.project({ work_hours_id: hours.id });
    const phase = (await create(`/projects/${project}/phases`, { name: "Design" })).id;
    const task = await make.projectTask(
      { id: project },
      {
        ...{ category: "activity", subject: "Draw up the plan" },
        ...{ start_at: "2025-03-04T08:00:00Z", planned_duration: 2400 },
      },
    );
    const { id: template_id } = await make.projectTaskTemplate({ category: "milestone", planned_duration: 0 });
    await make.projectTask(
      { id: project },
      {
        ...{ template_id, category: "milestone", subject: "Plan agreed" },
        ...{ predecessor_ids: [task.id], deadline: "2025-03-12T16:00:00Z" },
      },
    );
    await make.projectTask(
      { id: project },
      { template_id, category: "milestone", subject: "Plan printed", predecessor_ids: [task.id] },
    );
    await here.sql("UPDATE project_tasks SET phase_id = $1 WHERE project_id = $2", [phase, project]);
    for (const [assignee_id, planned_effort] of [
      [3, 600],
      [9, 1200],
      [1, 300],
      [4, 90],
    ])
      await create(`/project_tasks/${task.id}/assignments`, { assignee_id, planned_effort });
    await visit(sam, `${here.url}/a/widget-it/projects/${project}`);
    const bar = sam.locator(`[data-bar="${task.id}"]`);
    await bar.waitFor();
    const fold = sam.getByRole("button", { name: "Show tasks in Design" });
    await fold.click();
    await bar.waitFor({ state: "detached" });
    await sam.reload();
    await fold.waitFor();
    expect(await bar.count()).toBe(0);
    await fold.click();
    await bar.waitFor();
    await sam.keyboard.press("b");
    await sam.getByText("Current plan set as baseline").waitFor();
    await sam.getByRole("rowheader", { name: "Sam Specialist" }).waitFor();
    type Load = { planned: number; other: number; available: number };
    const { body: workload } = await api().get(
      `/projects/${project}/workload?from=2025-03-03&until=2025-05-30&every=week`,
    );
    expect(workload.people).toHaveLength(4);
    for (const { person, weeks } of workload.people as { person: { name: string }; weeks: Load[] }[]) {
      const percents = weeks
        .filter(({ available }) => available > 0)
        .map(({ planned, other, available }) => Math.round((100 * (planned + other)) / available));
      const cells = sam.locator(".workload tr", { hasText: person.name }).locator("td > span");
      const shown = await cells.evaluateAll((all) => all.map((cell) => cell.firstChild?.textContent ?? ""));
      expect([person.name, shown.filter((text) => /^\d+$/.test(text))]).toEqual([
        person.name,
        percents.filter((percent) => percent > 0).map(String),
      ]);
    }

    const preview = sam.getByRole("region", { name: "Move preview" });
    const warning = sam.getByRole("alert");
    await bar.focus();
    await sam.keyboard.press("d");
    await sam.keyboard.press("ArrowRight");
    await warning.getByText("Milestone Plan printed moves from Mar 11 to Mar 12").waitFor();
    expect(await warning.getByText("Plan agreed").count()).toBe(0);
    await sam.keyboard.press("ArrowRight");
    await warning.getByText("Milestone Plan agreed moves to Mar 13, past its deadline Mar 12").waitFor();
    await preview.getByText("New end date: Mar 13").waitFor();
    await sam.keyboard.press("Enter");
    await preview.waitFor({ state: "detached" });
    for (const subject of ["Draw up the plan", "Plan agreed", "Plan printed"])
      await sam.locator(".gantt-row", { hasText: subject }).getByText("+2 days").waitFor();
    await here.as("administrator").patch(`/projects/${project}`, { manager_id: 3 });
    await sam.reload();
    await sam.getByRole("tab", { name: /^Tasks/ }).click();
    await sam.getByRole("link", { name: "Draw up the plan" }).waitFor();

    const phases = async () =>
      (await here.as("administrator").get(`/projects/${project}/phases`)).body
        .map(({ name }: { name: string }) => name)
        .join();
    await sam.getByRole("button", { name: "Rename Design" }).click();
    await sam.getByRole("textbox", { name: "Phase name" }).fill("Drawing");
    await sam.keyboard.press("Enter");
    await until(async () => (await phases()) === "Drawing");
    await sam.getByRole("button", { name: "Add phase" }).click();
    await sam.getByRole("textbox", { name: "Phase name" }).fill("Building");
    await sam.keyboard.press("Enter");
    await sam.getByRole("button", { name: "Rename Building" }).focus();
    await sam.keyboard.press("Shift+ArrowUp");
    await until(async () => (await phases()) === "Building,Drawing");
    await sam.getByText("Building is now phase 1 of 2").waitFor();
    await sam.getByRole("button", { name: "Actions for Building" }).click();
    await sam.getByRole("menuitem", { name: "Remove phase" }).click();
    await until(async () => (await phases()) === "Drawing");
    await sam.getByText("Phase Building removed").waitFor();
    await sam.keyboard.press("z");
    await until(async () => (await phases()) === "Building,Drawing");
  },
  "a project template is drawn phase by phase: with keyboard, menu and pointer": async () => {
    await here.as("administrator").post("/people/3/permissions/widget-it?roles=specialist,project_manager");
    const template = (await create("/project_templates", { subject: "A new office" })).id;
    const step = { subject: "Walk the floors", category: "activity", planned_duration: 120 };
    await create("/project_task_templates", step);
    for (const name of ["Survey", "Build"]) await create(`/project_templates/${template}/phases`, { name });
    const steps = async () =>
      (await here.as("administrator").get(`/project_templates/${template}/task_templates`)).body
        .map(({ phase_name }: { phase_name: string }) => phase_name)
        .join();
    await visit(sam, `${here.url}/a/widget-it/project_templates/${template}?tab=plan`);
    await sam.getByRole("button", { name: "Add task to Survey" }).click();
    const dialog = sam.getByRole("dialog", { name: "Add task" });
    await dialog.getByRole("combobox").fill("Walk");
    await sam.getByRole("option", { name: /Walk the floors/ }).click();
    await dialog.getByRole("button", { name: "Add task" }).click();
    const link = sam.getByRole("link", { name: "Walk the floors" });
    await link.waitFor();
    await sam.getByText("1 task · 2 h", { exact: false }).waitFor();
    await link.focus();
    await sam.keyboard.press("Shift+ArrowRight");
    await until(async () => (await steps()) === "Build");
    await sam.getByText("Walk the floors moved to Build").waitFor();
    await sam.locator(".phase-column", { hasText: "Build" }).getByRole("link", { name: "Walk the floors" }).waitFor();
    await sam.locator(".phase-step").dragTo(sam.locator(".phase-column", { hasText: "Survey" }));
    await until(async () => (await steps()) === "Survey");
    await sam.locator(".phase-column", { hasText: "Survey" }).getByRole("link", { name: "Walk the floors" }).waitFor();
    await sam.getByRole("button", { name: "Actions for Walk the floors" }).click();
    await sam.getByRole("menuitem", { name: "Remove from template" }).click();
    await until(async () => (await steps()) === "");
  },
});
