import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { openBrowserAs, visit } from "../support/clients/signed-in-page.ts";
import { hostileFiles, scriptPayloads } from "../support/hostile/script-payloads.ts";
import { mailSender } from "../support/mail/mail-sender.ts";
import { loadReceivedTexts } from "../support/mail/received-mails.ts";
import { requestHelpers } from "../support/records/requests.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { uploadTextFile } from "../support/records/upload.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import type { Role } from "../support/seed.ts";
import { story } from "../support/story.ts";
import { type World, world } from "../support/world.ts";

// No script in text that people, emails or designers write runs on any page, and none even reaches the content security policy
// that would block it.

const [rita, sam] = [5, 3];
const account = "/a/widget-it";
let here: World;
let browser: Browser;
let template: number;
let article: number;
let request: number;
let mailed: number;
let task: number;
let requesterContext: BrowserContext;
let specialistContext: BrowserContext;
const ran: unknown[] = [];

/** Assigns each place the next payloads in turn. */
let next = 0;
const take = (most = 4000): string => {
  for (;;) {
    const payload = scriptPayloads[next++ % scriptPayloads.length] as string;
    if (payload.length <= most) return payload;
  }
};
const takeAll = (): string => scriptPayloads.join("\n\n");

async function seedContent(): Promise<void> {
  const { admin, create } = requestHelpers(here);
  const agree = serviceAgreements(admin);
  const service = await agree.service({ name: take(100), knowledge_manager_id: 1 });
  const { instance } = await agree.agreed({}, {}, [rita]);
  await admin.patch(`/service_instances/${instance.id}`, { service_id: service.id, name: take(100) });
  const form = [...Array(8).keys()].map((number) => ({
    id: `field ${number} ${take(60)}`,
    type: ["text", "choice", "help", "section", "long_text", "choices", "switch", "date"][number],
    label: take(),
    help: take(),
    options: [take(), { value: take(), label: take() }],
  }));
  const extension = await create("ui_extension", {
    category: "request_template",
    title: take(100),
    html: takeAll(),
    css: `</style><script>ran("css")</script>`,
    javascript: `ran("extension")`,
    form_definition_json: JSON.stringify({ fields: form }),
    activate: true,
  });
  ({ id: template } = await create("request_template", {
    subject: take(200),
    category: "rfc",
    service_id: service.id,
    ui_extension_id: extension.id,
    registration_hints: takeAll(),
  }));
  ({ id: article } = await create("knowledge_article", {
    subject: take(200),
    description: takeAll(),
    instructions: takeAll(),
    service_id: service.id,
    status: "validated",
  }));
  const { body } = await here.as("requester").post("/requests", {
    category: "incident",
    subject: take(200),
    note: take(),
    custom_fields: { [take(60)]: take() },
  });
  request = body.id;
  await admin.patch(`/requests/${request}`, { team_id: 1, member_id: sam, knowledge_article_id: article });
  for (const [at, text] of scriptPayloads.entries())
    await here.as(at % 2 === 0 ? "requester" : "specialist").post(`/requests/${request}/notes`, { text });
  const by = here.as("requester");
  const upload = async (extension: string, content: string, inline: boolean) => {
    const name = `${take(80).replaceAll("/", "_")}.${extension}`;
    return { key: await uploadTextFile(by, name, content), inline };
  };
  const picture = await upload("svg", hostileFiles.svg, true);
  const attachments = [picture];
  for (const [extension, content] of Object.entries(hostileFiles))
    attachments.push(await upload(extension, content, false));
  const files = await by.post(`/requests/${request}/notes`, { text: `Files ![x](${picture.key})`, attachments });
  expect(files.status).toBe(201);
  for (const message_type of ["outage", "info", "warning"])
    await admin.post("/broadcasts", { message: takeAll(), message_type, visibility: "all_of_account" });
  const make = workflowHelpers(admin);
  const workflow = await make.workflow({ subject: take(200) });
  await admin.post("/requests", {
    category: "rfc",
    subject: take(200),
    requested_by_id: sam,
    requested_for_id: sam,
    note: takeAll(),
    workflow_id: workflow.id,
  });
  const approval = await make.task(workflow, {
    category: "approval",
    subject: take(200),
    instructions: takeAll(),
  });
  task = approval.id;
  await admin.post(`/tasks/${task}/approvals`, { approver_id: rita });
  await admin.patch(`/tasks/${task}`, { status: "assigned" });
}

async function sendHostileMail(): Promise<void> {
  const { send } = mailSender(here);
  const mail = await send({ subject: take(200), html: `<p>${takeAll()}</p>`, text: takeAll() });
  expect([mail.outcome, mail.record_type]).toEqual(["request", "request"]);
  mailed = mail.record_id as number;
}

async function openContext(role: Role): Promise<BrowserContext> {
  const context = await openBrowserAs(here, browser, role);
  await context.exposeFunction("ran", (number: unknown) => void ran.push(number));
  await context.addInitScript(`
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => {
      // The policy blocks pictures from other servers, so their violations are expected.
      if (event.effectiveDirective !== "img-src") violations.push(event.effectiveDirective + " " + event.sample + event.blockedURI);
    });
  `);
  context.on("dialog", (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  await context.clock.setFixedTime(here.clock.now());
  return context;
}

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world({ env: { MAIL_PORT: "0", MAIL_PER_HOUR: "1000" } });
  await setPasswords(here, "requester", "specialist");
  await here.sql("UPDATE people SET name = $1, job_title = $2 WHERE id = $3", [take(60), take(100), rita]);
  await here.sql("UPDATE people SET name = $1 WHERE id = $2", [take(60), sam]);
  await here.sql("UPDATE teams SET name = $1 WHERE id = 1", [take(60)]);
  await seedContent();
  await sendHostileMail();
  browser = await startBrowser();
  requesterContext = await openContext("requester");
  specialistContext = await openContext("specialist");
});
afterAll(() => browser?.close());

/** Finds what a browser would run: event handlers, script addresses, external scripts and frames. */
const findDanger = `[...document.querySelectorAll("*")].flatMap((element) => [
  ...[...element.attributes].flatMap(({ name, value }) =>
    name.startsWith("on") || name === "srcdoc" || (["href", "src", "action", "formaction", "data", "xlink:href"].includes(name) && /^[\\s\\x00-\\x1f]*(javascript|vbscript|data:text)/i.test(value))
      ? [element.tagName + " " + name + "=" + value] : []),
  ...(["IFRAME", "OBJECT", "EMBED", "BASE", "MARQUEE"].includes(element.tagName) ? [element.outerHTML.slice(0, 200)] : []),
  ...(element.tagName === "SCRIPT" && (!element.src.startsWith(location.origin + "/web/") || element.text !== "") ? [element.outerHTML.slice(0, 200)] : []),
])`;

async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate(findDanger), page.url()).toEqual([]);
  expect(await page.evaluate("window.violations"), page.url()).toEqual([]);
  expect(ran, page.url()).toEqual([]);
}

story("sixty payloads run on a page that treats them as markup", {
  "there are at least sixty distinct payloads": () => {
    expect(new Set(scriptPayloads).size).toBeGreaterThanOrEqual(60);
  },
  "the payloads do run on a page that treats them as markup": async () => {
    const page = await browser.newPage();
    const calls: unknown[] = [];
    await page.exposeFunction("ran", (number: unknown) => void calls.push(number));
    await page.setContent(scriptPayloads.join("\n"));
    await expect.poll(() => new Set(calls).size).toBeGreaterThan(5);
    await page.close();
  },
});

story("payloads are shown as text: in the portal, the workspace, files, and pages without scripts", {
  "the portal shows payloads as text": async () => {
    const page = await requesterContext.newPage();
    const open = async (path: string) => {
      await visit(page, `${here.url}${account}${path}?language=en&text=${encodeURIComponent(take())}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
    };
    await open("");
    await page.getByRole("button", { name: "2 more" }).click();
    await page
      .getByText(scriptPayloads[0] as string)
      .first()
      .waitFor();
    await page.getByRole("combobox", { name: "How can we help?" }).fill("click script onerror");
    await page.getByRole("option", { name: "None of this helps" }).waitFor();
    await expectHarmless(page);
    await open(`/requests/${request}`);
    await page.locator(".bubble").nth(scriptPayloads.length).waitFor();
    await expectHarmless(page);
    await open(`/requests/${mailed}`);
    await page.locator(".bubble").first().waitFor();
    await expectHarmless(page);
    await open(`/portal/new/${template}`);
    await page.getByRole("button", { name: "Send request" }).waitFor();
    await expectHarmless(page);
    await open(`/knowledge_articles/${article}`);
    await expectHarmless(page);
    await open("/portal/approvals");
    await page.getByRole("button", { name: /^Approve/ }).waitFor();
    await expectHarmless(page);
    await page.close();
  },
  "the workspace shows payloads as text": async () => {
    const page = await specialistContext.newPage();
    const open = async (path: string) => {
      await visit(page, `${here.url}${account}${path}`);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
    };
    await open(`/requests/${request}`);
    await page
      .getByRole("feed")
      .getByText(scriptPayloads.at(-1) as string)
      .first()
      .waitFor();
    await expectHarmless(page);
    await open(`/requests/${mailed}`);
    await page.getByRole("feed").waitFor();
    await expectHarmless(page);
    await visit(page, `${here.url}${account}/inbox/mine`);
    await page.getByRole("option").first().waitFor();
    await expectHarmless(page);
    for (const path of [
      `/knowledge_articles/${article}`,
      `/people/${rita}`,
      `/request_templates/${template}`,
      `/tasks/${task}`,
    ]) {
      await open(path);
      await expectHarmless(page);
    }
    await page.close();
  },
  "files are downloaded, never rendered as a page, by the requester and by the specialist": async () => {
    const { body: notes } = await here.as("requester").get(`/requests/${request}/notes?per_page=100`);
    const files: { name: string; uri: string }[] = notes.flatMap(
      (note: { attachments?: [] }) => note.attachments ?? [],
    );
    expect(files.length).toBeGreaterThanOrEqual(Object.keys(hostileFiles).length);
    for (const { uri } of files) {
      const { headers } = await fetch(new URL(uri, here.url));
      expect(headers.get("Content-Type")).toBe("application/octet-stream");
      expect(headers.get("Content-Disposition")).toMatch(/^attachment; filename\*=UTF-8''[\w.%!-]+$/);
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Content-Security-Policy")).toContain("sandbox");
    }
    const page = await requesterContext.newPage();
    await page.goto(`${here.url}${account}/requests/${request}`);
    for (const extension of ["svg", "html"]) {
      const link = page
        .locator(".bubble-files a")
        .filter({ hasText: `.${extension}` })
        .first();
      const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
      await download.cancel();
    }
    await expectHarmless(page);
    await page.close();
  },
  "pages without scripts show payloads as text: approval and feedback by email, sign-in": async () => {
    await here.service.notificationDispatcher.runDue();
    const mails = await loadReceivedTexts(here, "record_id = $1 AND record_type = 'task'", [task]);
    const [link] = /\/approvals\/\d+\/\d+\/approved\/[0-9a-f]{40}/.exec(mails.map(({ body }) => body).join()) ?? [];
    await here.as("administrator").patch(`/requests/${mailed}`, {
      status: "completed",
      completion_reason: "solved",
      note: take(),
    });
    const { feedback } = (await here.as("administrator").get(`/requests/${mailed}`)).body;
    const page = await requesterContext.newPage();
    const addresses = [
      `${here.url}${link}`,
      feedback.requested_for.dissatisfied_url,
      `${here.url}/sign_in?return_to=${encodeURIComponent(take())}&email=${encodeURIComponent(take())}`,
    ];
    for (const address of addresses) {
      await page.goto(address);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expectHarmless(page);
    }
    await page.close();
  },
});
