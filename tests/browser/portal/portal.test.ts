import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../../support/clients/chromium.ts";
import { setPasswords } from "../../support/clients/form-browser.ts";
import { openBrowserAs, visit } from "../../support/clients/signed-in-page.ts";
import { png } from "../../support/mail/inbound-mail-desk.ts";
import { mailSender } from "../../support/mail/mail-sender.ts";
import { requestHelpers } from "../../support/records/requests.ts";
import { serviceAgreements } from "../../support/records/service-agreements.ts";
import { serviceDeskTeam, workflowHelpers } from "../../support/records/workflows-and-projects.ts";
import type { Role } from "../../support/seed.ts";
import { story } from "../../support/story.ts";
import { until } from "../../support/waiting.ts";
import { type World, world } from "../../support/world.ts";

// The portal in real browsers: Rita, a requester, on a desktop and on a phone.

const [rita, sam] = [5, 3];
const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
let here: World;
let browser: Browser;
let page: Page;
let template: number;
let article: number;
let task: number;
let printer: number;
let scriptedTemplate: number;

/** Tries everything that a framed script must not be able to do, and reports what worked. */
const hostileScript = `
const worked = [];
const attempt = (name, act) => { try { act(); worked.push(name); } catch {} };
attempt("page", () => parent.document.body);
attempt("cookie", () => document.cookie);
attempt("storage", () => localStorage.length);
attempt("above", () => { top.location.href = "about:blank"; });
attempt("window", () => { if (open("about:blank") === null) throw new Error(); });
attempt("script element", () => { if (document.title !== "ran") throw new Error(); });
for (let count = 0; count < 2000; count += 1) parent.postMessage({ steward: "extension", event: "height", height: 1e9 }, "*");
parent.postMessage({ steward: "extension", event: "values", values: { ["x".repeat(500)]: "x" }, valid: true }, "*");
const tell = () => { document.querySelector("[name=tried]").value = worked.join() || "nothing"; steward.changed(); };
fetch("/session-api/me").then(() => worked.push("network")).catch(() => {}).finally(tell);
steward.onStart(tell);
`;

async function openAs(role: Role, path: string, size = wide): Promise<Page> {
  const context = await openBrowserAs(here, browser, role);
  // The world's clock doesn't move, so the browser's clock is fixed at the same time.
  await context.clock.setFixedTime(here.clock.now());
  const opened = await context.newPage();
  await opened.setViewportSize(size);
  await opened.goto(`${here.url}${path}`);
  return opened;
}
const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const go = async (path: string) => {
  await visit(page, `${here.url}/a/widget-it${path}`);
};
const isLive = () => page.locator('.portal[data-live="live"]').waitFor();
const admin = () => here.as("administrator");
const read = async (id: number) => (await admin().get(`/requests/${id}`)).body;

async function seedOffers(): Promise<void> {
  const { create } = requestHelpers(here);
  const agree = serviceAgreements(admin());
  const service = await agree.service({ name: "Network", knowledge_manager_id: 1 });
  const { instance } = await agree.coverPerson(service, rita);
  const form = {
    fields: [
      { id: "place", type: "choice", label: "Where do you work?", required: true, options: ["Office", "Home"] },
      { id: "street", type: "text", label: "Street", when: { field: "place", is: ["Home"] } },
      { id: "until", type: "date", label: "Until when?" },
      { id: "why", type: "long_text", label: "What is it for?", help: "One sentence is enough" },
      { id: "color", type: "choice", label: "Color", options: ["a", "b", "c", "d", "e"] },
      { id: "size", type: "number", label: "Size" },
      { id: "late", type: "text", label: "Seventh" },
      { id: "hostile", type: "help", label: "<img src=x onerror=alert(1)>" },
    ],
  };
  const extension = await create("ui_extension", {
    category: "request_template",
    title: "About you",
    form_definition_json: JSON.stringify(form),
    activate: true,
  });
  template = (
    await create("request_template", {
      subject: "Access to a folder",
      category: "rfc",
      action_type: "access",
      service_id: service.id,
      ui_extension_id: extension.id,
    })
  ).id;
  const item = await create("ci", {
    name: "Printer on floor 4",
    label: "PRN-0404",
    location: "Room 4.12",
    status: "in_production",
    service_id: service.id,
    support_team_id: serviceDeskTeam,
  });
  printer = item.id;
  await admin().post(`/cis/${printer}/service_instances/${instance.id}`);
  article = (
    await create("knowledge_article", {
      subject: "VPN does not connect",
      description: "The vpn says it cannot connect.",
      instructions: "# Steps\n\n1. Turn it off\n1. <script>alert(1)</script>",
      service_id: service.id,
      status: "validated",
    })
  ).id;
  const calendar = await agree.calendar(["mon-fri 08:00-18:00"]);
  const room = await create("reservation_offering", {
    ...{ name: "Meeting room", service_instance_id: instance.id, calendar_id: calendar.id, time_zone: "UTC" },
    ...{ min_duration: 30, max_duration: 240, step_duration: 30, initial_status: "confirmed", disabled: false },
  });
  const prism = await create("ci", { name: "Prism", status: "in_production", support_team_id: serviceDeskTeam });
  await admin().post(`/reservation_offerings/${room.id}/cis/${prism.id}`);
  const scripted = await create("ui_extension", {
    category: "request_template",
    title: "About the visit",
    html: '<label>Visitor <input name="visitor" required></label><input type="hidden" name="tried"><b onclick="steal()">Badge</b><script>document.title = "ran"</script>',
    javascript: hostileScript,
    activate: true,
  });
  scriptedTemplate = (
    await create("request_template", { subject: "A visitor", service_id: service.id, ui_extension_id: scripted.id })
  ).id;
  const articleForm = await create("ui_extension", {
    category: "shop_article",
    form_definition_json: JSON.stringify({ fields: [{ id: "size", type: "text", label: "Size", required: true }] }),
    activate: true,
  });
  const shirt = {
    name: "Shirt",
    reference: "Shirt",
    fulfillment_template_id: template,
    ui_extension_id: articleForm.id,
  };
  await create("shop_article", shirt);
  const price = { price: "19.95", price_currency: "eur" };
  for (const name of ["Headset", "Mouse"])
    await create("shop_article", {
      name,
      reference: name,
      fulfillment_template_id: template,
      max_quantity: 3,
      ...price,
    });
  const make = workflowHelpers(admin());
  const workflow = await make.workflow();
  await admin().post("/requests", {
    category: "rfc",
    subject: "Second screen for Sam",
    requested_by_id: sam,
    requested_for_id: sam,
    note: "The old one flickers.",
    workflow_id: workflow.id,
  });
  task = (await make.task(workflow, { category: "approval", subject: "Approve the purchase" })).id;
  await admin().post(`/tasks/${task}/approvals`, { approver_id: rita });
  await admin().patch(`/tasks/${task}`, { status: "assigned" });
  const { body: group } = await admin().post("/requests", {
    category: "incident",
    impact: "high",
    subject: "Wireless",
  });
  await here.sql("UPDATE requests SET grouping = 'group' WHERE id = $1", [group.id]);
  await admin().post("/broadcasts", {
    message: "Wireless is unstable. We are working on it.",
    message_type: "outage",
    visibility: "all_of_account",
    request_id: group.id,
  });
}

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world({ env: { MAIL_PORT: "0", MAIL_PER_HOUR: "1000" } });
  await setPasswords(here, "requester", "specialist");
  await seedOffers();
  browser = await startBrowser();
  // Rita's language is Dutch; the address asks for English.
  page = await openAs("requester", "/a/widget-it?language=en");
});
afterAll(() => browser?.close());

story("the portal home: addresses, news and articles", {
  "the same address is the portal for a requester and the workspace for a specialist": async () => {
    await heading("Good morning, Rita. How can we help?").waitFor();
    await page.getByRole("link", { name: /Something isn't working/ }).waitFor();
    const own = await openAs("requester", "/a/widget-it");
    await own.getByRole("heading", { level: 1, name: /Hoe kunnen we helpen\?/ }).waitFor();
    expect(await own.evaluate("document.documentElement.lang")).toBe("nl");
    await own.context().close();
    const specialist = await openAs("specialist", "/a/widget-it/portal");
    await specialist.getByRole("heading", { level: 1 }).waitFor();
    await specialist.goto(`${here.url}/a/widget-it`);
    await specialist.waitForURL(/\/inbox/);
    await specialist.context().close();
    for (const path of ["/webhooks", "/people/3", "/settings/account", "/problems", "/automation_rules/1"]) {
      await go(path);
      await heading("Page not found").waitFor();
    }
  },
  "home: a banner with one click to follow the solution, dismissed permanently": async () => {
    await go("");
    await page.getByText("Wireless is unstable.").waitFor();
    await page.getByRole("button", { name: "Notify me when it's solved" }).click();
    await page.getByText("We'll notify you", { exact: true }).waitFor();
    const own = await here.sql<{ id: number }>(
      "SELECT id FROM requests WHERE requested_for_id = $1 AND grouped_into_id IS NOT NULL",
      [rita],
    );
    expect(own.length).toBe(1);
    await isLive();
    const { body: news } = await admin().post("/broadcasts", {
      message: "The canteen is closed today.",
      message_type: "info",
      visibility: "all_of_account",
    });
    await page.getByRole("button", { name: "1 more" }).click();
    await page.getByText("The canteen is closed today.").waitFor();
    await admin().patch(`/broadcasts/${news.id}`, { disabled: true });
    await page.getByText("The canteen is closed today.").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Dismiss message" }).click();
    await page.getByText("Wireless is unstable.").waitFor({ state: "hidden" });
    await until(async () => {
      await page.reload();
      await heading(/How can we help/).waitFor();
      await page.getByRole("heading", { name: "Your open requests" }).waitFor();
      return (await page.getByText("Wireless is unstable.").count()) === 0;
    });
  },
  "typing suggests an article; the keyboard opens it; its scripts don't run": async () => {
    await go("");
    const box = page.getByRole("combobox", { name: "How can we help?" });
    await box.fill("vpn");
    await page.getByRole("option", { name: "VPN does not connect" }).waitFor();
    await box.press("ArrowDown");
    await box.press("Enter");
    await heading("VPN does not connect").waitFor();
    expect(page.url()).toContain(`/knowledge_articles/${article}`);
    await page.getByText("<script>alert(1)</script>").waitFor();
    await page.goBack();
    await box.fill("purple elephants");
    await page.getByRole("option", { name: "None of this helps" }).click();
    expect(await page.getByLabel("What is it about?").inputValue()).toBe("purple elephants");
  },
});

story("portal forms with conditions and with a script", {
  "a form of six fields: conditions, required fields, kept over a reload, sent with its answers": async () => {
    await go("");
    await page.getByRole("link", { name: /I need access/ }).press("Enter");
    await heading("I need access").waitFor();
    await page.getByRole("link", { name: "Access to a folder" }).press("Enter");
    await heading("Access to a folder").waitFor();
    expect(await page.getByLabel("Seventh").isVisible()).toBe(false);
    await page.getByText("<img src=x onerror=alert(1)>").waitFor();
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText("Please fill in: Where do you work?").waitFor();
    expect(await page.getByLabel("Street").count()).toBe(0);
    await page.getByRole("radio", { name: "Home" }).check();
    await page.getByLabel("Street").fill("Prismastraat 88");
    await page.getByLabel(/Anything we should know/).fill("For the audit");
    await page.getByText("Draft saved").waitFor();
    await until(async () => {
      await page.reload();
      await heading("Access to a folder").waitFor();
      return (
        (await page
          .getByLabel("Street")
          .inputValue()
          .catch(() => "")) === "Prismastraat 88"
      );
    });
    await page.getByText("More details").click();
    await page.getByLabel("Seventh").fill("7");
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByRole("list", { name: "Progress" }).waitFor();
    const id = Number(page.url().split("/").at(-1));
    expect(await read(id)).toMatchObject({
      template: { id: template },
      requested_for: { id: rita },
      custom_fields: { place: "Home", street: "Prismastraat 88", late: "7" },
    });
    expect(page.url()).toContain(`/a/widget-it/requests/${id}`);
    await page.getByText("For the audit").waitFor();
    await page
      .getByRole("link", { name: /^My requests/ })
      .first()
      .click();
    await heading("My requests").waitFor();
    await page.getByRole("link", { name: /Access to a folder/ }).waitFor();
    await page.getByRole("tab", { name: "Open" }).press("ArrowRight");
    await page.getByRole("tab", { name: "Solved", selected: true }).waitFor();
    await page.getByText("No solved requests yet.").waitFor();
  },
  "D-398: a scripted form runs in an isolated frame, and its answers are sent": async () => {
    await go(`/portal/new/${scriptedTemplate}`);
    await heading("A visitor").waitFor();
    const frame = page.frameLocator("iframe.extension-frame");
    await frame.getByLabel("Visitor").waitFor();
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText("Something is missing").waitFor();
    await frame.getByLabel("Visitor").fill("Iris");
    expect((await page.locator("iframe.extension-frame").boundingBox())?.height).toBeLessThanOrEqual(4000);
    // The page handles only the latest frame message within a second.
    await page.getByText("Draft saved").waitFor();
    const steps = page.getByRole("list", { name: "Progress" });
    const send = page.getByRole("button", { name: "Send request" });
    await until(async () => {
      if ((await send.count()) > 0) await send.click({ timeout: 2000 }).catch(() => {});
      return (await steps.count()) > 0;
    });
    const { custom_fields } = await read(Number(page.url().split("/").at(-1)));
    expect(custom_fields).toEqual({ visitor: "Iris", tried: "nothing" });
  },
});

story("a requester's own requests, approvals, orders and reservations", {
  "a conversation on a phone: the specialist's reply appears without a reload, internal notes never; withdraw asks why":
    async () => {
      const { body } = await here
        .as("requester")
        .post("/requests", { category: "incident", subject: "Wireless drops on floor 4", note: "Since this morning." });
      const id: number = body.id;
      await admin().patch(`/requests/${id}`, { team_id: serviceDeskTeam, member_id: sam, status: "in_progress" });
      await page.setViewportSize(phone);
      await go(`/requests/${id}`);
      await heading("Wireless drops on floor 4").waitFor();
      await page.getByText("We are working on it", { exact: true }).first().waitFor();
      await isLive();
      const input = page.getByRole("textbox", { name: /Write a message/ });
      await input.fill("It comes back for a minute.");
      await page.getByRole("button", { name: "Send" }).click();
      await page.locator(".bubble[data-mine]").filter({ hasText: "It comes back" }).waitFor();
      const sammy = here.as("specialist");
      await sammy.post(`/requests/${id}/notes`, { text: "Secret between us", internal: true });
      await sammy.patch(`/requests/${id}`, { status: "waiting_for_customer", note: "Which **floor**?" });
      await page.locator(".bubble").filter({ hasText: "Which floor?" }).waitFor();
      await page.getByText("Waiting for your reply").first().waitFor();
      expect(await page.content()).not.toContain("Secret between us");
      // Text typed during a pending call stays.
      const gate = Promise.withResolvers<void>();
      await page.route(`**/requests/${id}/notes`, async (route) => {
        await gate.promise;
        await route.continue();
      });
      await input.fill("The fourth.");
      await page.getByRole("button", { name: "Send" }).click();
      await input.press("End");
      await input.pressSequentially(" Near the lift");
      gate.resolve();
      await until(async () => (await input.inputValue()) === "Near the lift");
      await page.unroute(`**/requests/${id}/notes`);
      expect((await read(id)).status).toBe("assigned");
      await page.getByRole("button", { name: "I no longer need this" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Withdraw request" }).click();
      await dialog.getByText("Please add a few words.").waitFor();
      await dialog.getByRole("textbox").fill("It works again");
      await dialog.getByRole("button", { name: "Withdraw request" }).click();
      await page.getByText("Withdrawn", { exact: true }).first().waitFor();
      expect(await read(id)).toMatchObject({ status: "completed", completion_reason: "withdrawn" });
    },
  "a solved request is rated once and can be reopened": async () => {
    const { body } = await here.as("requester").post("/requests", { category: "incident", subject: "Slow laptop" });
    await admin().patch(`/requests/${body.id}`, {
      status: "completed",
      completion_reason: "solved",
      note: "Restarted",
    });
    await go(`/requests/${body.id}`);
    await page.getByRole("button", { name: "Yes, thanks" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Yes, thanks" }).click();
    await page.getByText("Thanks for your feedback").waitFor();
    await page.getByRole("heading", { name: "Did this help?" }).waitFor({ state: "hidden" });
    expect((await read(body.id)).satisfaction).toBe("satisfied");
    expect(await page.getByRole("button", { name: "It's not solved" }).count()).toBe(0);
    await page.getByRole("link", { name: "Send a new request" }).waitFor();
    const { body: other } = await here.as("requester").post("/requests", { category: "incident", subject: "Loud fan" });
    await admin().patch(`/requests/${other.id}`, { status: "completed", completion_reason: "solved", note: "Cleaned" });
    await go(`/requests/${other.id}`);
    await page.getByRole("button", { name: "It's not solved" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill("Still loud");
    await dialog.getByRole("button", { name: "Reopen request" }).click();
    await page.locator(".bubble[data-mine]").filter({ hasText: "Still loud" }).waitFor();
    expect(await read(other.id)).toMatchObject({ status: "assigned" });
  },
  "an approval takes two taps on a phone, and a rejection a reason": async () => {
    await go("/portal/approvals");
    await page.getByRole("heading", { name: "Second screen for Sam" }).waitFor();
    await page.getByText("The old one flickers.").waitFor();
    await page.getByRole("button", { name: /^Reject/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Reject", exact: true }).click();
    await dialog.getByText("Please give a reason.").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: /^Approve/ }).click();
    await page.getByText("Nothing to approve right now").waitFor();
    expect((await admin().get(`/tasks/${task}`)).body.status).toBe("approved");
  },
  "shop and reservations on a phone: a basket becomes an order, and a reserved room can be returned": async () => {
    await go("");
    await page.getByRole("link", { name: /I need equipment/ }).click();
    await page.getByRole("link", { name: "Shop" }).first().click();
    await heading("Shop").waitFor();
    await page.getByRole("button", { name: "Add to basket: Headset" }).click();
    await page.getByLabel("Quantity: Headset").selectOption("2");
    await page.getByText("Total: €39.90").waitFor();
    await page.getByRole("button", { name: "Add to basket: Mouse" }).click();
    await page.getByRole("button", { name: "Remove Mouse" }).click();
    await page.getByLabel("Quantity: Mouse").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Add to basket: Shirt" }).click();
    const questions = page.getByRole("dialog", { name: "Shirt" });
    await questions.getByRole("button", { name: "Add to basket" }).click();
    await questions.getByText("Please fill in: Size").waitFor();
    await questions.getByLabel("Size").fill("M");
    await questions.getByRole("button", { name: "Add to basket" }).click();
    await questions.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove Shirt" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Order now" }).click();
    await heading("Headset").waitFor();
    await page.locator(".bubble").filter({ hasText: "2 × Headset" }).waitFor();
    await go("/portal/catalogue/booking");
    await page.getByRole("main").getByRole("link", { name: "Reservations" }).click();
    await heading("Reservations").waitFor();
    await page.getByRole("button", { name: "Prism, 09:00 – 19:00" }).press("Enter");
    await page.getByLabel("From").selectOption({ label: "10:00" });
    await page.getByLabel("Until").selectOption({ label: "11:30" });
    await page.getByLabel("What is it for?").fill("Interview");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Reserve", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Prism, 11:30 – 19:00" }).waitFor();
    await page.getByRole("button", { name: "Cancel reservation: Interview" }).click();
    await page.getByRole("button", { name: "Prism, 09:00 – 19:00" }).waitFor();
  },
});

story("the portal on a narrow screen, and its failures", {
  "no page scrolls sideways at 320 px, also with longer words": async () => {
    const narrow = await openAs("requester", "/a/widget-it?language=pseudo", { width: 320, height: 640 });
    const paths = [
      "",
      "/requests",
      "/portal/approvals",
      "/portal/knowledge",
      "/portal/catalogue/access",
      `/portal/new/${template}`,
      `/knowledge_articles/${article}`,
      `/cis/${printer}`,
      "/portal/search?q=vpn",
      "/portal/shop",
      "/portal/reservations",
    ];
    for (const path of paths) {
      await visit(narrow, `${here.url}/a/widget-it${path}`);
      await narrow.getByRole("heading", { level: 1 }).first().waitFor();
      const over = await narrow.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
      expect(over, path).toBe(0);
    }
    await narrow.context().close();
  },
  "a page that fails shows an error: inside the frame, and before the application starts": async () => {
    const failing = await openAs("requester", "/a/widget-it?language=en", phone);
    await failing.getByRole("heading", { level: 1 }).waitFor();
    await failing.route(/request-list-.*\.js/, (route) => route.abort());
    // The reload discards the preloaded code.
    await failing.reload();
    await failing.getByRole("heading", { level: 1 }).waitFor();
    await failing.getByRole("link", { name: /Requests$/ }).click();
    await failing.getByRole("heading", { name: "Something went wrong" }).waitFor();
    await failing.getByRole("link", { name: "Articles" }).click();
    await failing.getByRole("heading", { level: 1, name: "Articles" }).waitFor();
    await failing.route(/assets\/portal-.*\.js/, (route) => route.abort());
    await failing.reload();
    await failing.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
    await expectAccessible(failing);
    await failing.context().close();
  },
});

test("a broken printer: from the code on its label to a rating, live for the specialist at every step", async () => {
  const desk = await openAs("specialist", "/a/widget-it/inbox/my_teams");
  const rita = await openAs("requester", `/q/${printer}?language=en`, phone);
  expect(rita.url()).toContain(`/a/widget-it/cis/${printer}`);
  await rita.goto(`${rita.url()}?language=en`);

  // The form knows the device and shows its known outage.
  await rita.getByText("Wireless is unstable.").first().waitFor();
  await rita.getByText("Printer on floor 4 · PRN-0404 · Room 4.12").waitFor();
  const about = rita.getByLabel("What is it about?");
  expect(await about.inputValue()).toBe("Printer on floor 4 isn't working");
  await about.fill("Printer eats paper");
  await rita.getByLabel(/What happened/).fill("Since this morning, see the photo.");
  await rita.locator('input[type="file"]').setInputFiles({ name: "photo.png", mimeType: "image/png", buffer: png });
  await rita.getByText("Uploading…").waitFor({ state: "hidden" });
  await rita.getByText("photo.png").waitFor();
  await expectAccessible(rita);
  await rita.getByRole("button", { name: "Send request" }).click();
  await rita.getByRole("heading", { level: 1, name: "Printer eats paper" }).waitFor();
  await until(() => rita.evaluate<boolean>("document.querySelector('.bubble img')?.naturalWidth > 0"));
  const id = Number(/\d+$/.exec(rita.url())?.[0]);
  const { body: cis } = await admin().get(`/requests/${id}/cis`);
  expect(cis.map((each: { id: number }) => each.id)).toEqual([printer]);

  // The request appears in the team's inbox without a reload, with its photo.
  await desk.getByRole("option").filter({ hasText: "Printer eats paper" }).click();
  await desk.getByRole("listbox", { name: "Inbox" }).press("Enter");
  await desk.getByRole("heading", { level: 1, name: "Printer eats paper" }).waitFor();
  await until(() =>
    desk.evaluate<boolean>("document.querySelector('[role=feed] img[src*=attachments]')?.naturalWidth > 0"),
  );

  // A question by email, answered by email, seen by both.
  const sammy = here.as("specialist");
  await sammy.patch(`/requests/${id}`, {
    member_id: sam,
    status: "waiting_for_customer",
    note: "Which tray is it?",
  });
  await rita.locator(".bubble").filter({ hasText: "Which tray is it?" }).waitFor();
  await rita.getByText("Waiting for your reply").first().waitFor();
  await here.service.notificationDispatcher.runDue();
  const [mail] = await here.sql<{ subject: string; message_id: string }>(
    "SELECT subject, message_id FROM mails WHERE recipient = 'rita@widget.example' AND record_id = $1 AND body LIKE '%Which tray%'",
    [id],
  );
  const { send } = mailSender(here);
  const reply = await send({
    subject: `Re: ${mail?.subject}`,
    inReplyTo: mail?.message_id as string,
    text: "The lower one.\n\nRita",
  });
  expect(reply).toMatchObject({ outcome: "note", record_id: id });
  await rita.locator(".bubble[data-mine]").filter({ hasText: "The lower one." }).waitFor();
  await desk.getByRole("feed").getByText("The lower one.").waitFor();
  await until(async () => (await read(id)).status === "assigned");

  // Solved, and rated on the phone some minutes later.
  await here.clock.pass(300);
  await sammy.patch(`/requests/${id}`, { status: "completed", completion_reason: "solved", note: "Roller replaced." });
  await rita.getByRole("button", { name: "Yes, thanks" }).waitFor();
  await here.clock.pass(300);
  await rita.getByRole("button", { name: "Yes, thanks" }).click();
  await rita.getByText("Thanks for your feedback").waitFor();
  await desk.getByRole("feed").getByText("Roller replaced.").waitFor();
  await desk
    .getByRole("feed")
    .getByText(/Satisfied/)
    .first()
    .waitFor();
  expect((await read(id)).satisfaction).toBe("satisfied");
  await rita.context().close();
  await desk.context().close();
});
