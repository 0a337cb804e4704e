import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { findCrowding } from "../support/clients/layout.ts";
import { expectUsable, openBrowserAs, visit } from "../support/clients/signed-in-page.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { people } from "../support/seed.ts";
import { story } from "../support/story.ts";
import { type World, world } from "../support/world.ts";

// A walk through the workspace in a language with 40 percent longer words: everything fits at all widths.

const widths = [1440, 1024, 390];
const account = "/a/widget-it";
let here: World;
let browser: Browser;
let page: Page;
const crowded: string[] = [];
const made = { request: 0, problem: 0, release: 0, risk: 0 };

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "administrator", "specialist");
  const admin = here.as("administrator");
  const make = async (path: string, values: Record<string, unknown>): Promise<number> => {
    const answer = await admin.post(path, values);
    expect([path, answer.status]).toEqual([path, 201]);
    return answer.body.id;
  };
  const work = { team_id: 1, member_id: people.specialist.id, impact: "high" };
  made.request = await make("/requests", { ...work, subject: "Wireless drops on floor 4", category: "incident" });
  await admin.patch(`/requests/${made.request}`, { status: "in_progress", note: "Since this morning." });
  await here
    .as("manager")
    .patch(`/requests/${made.request}`, { internal_note: `<@${people.specialist.id}|Sam Specialist> look at this` });
  made.problem = await make("/problems", {
    ...{ subject: "Access points reboot", category: "reactive", impact: "high", service_id: 1, team_id: 1 },
    ...{ manager_id: people.manager.id, workaround: "Use the cable." },
  });
  made.release = await make("/releases", { subject: "Spring release" });
  await workflowHelpers(admin).workflow({ subject: "New switches", release_id: made.release });
  await make("/risk_severities", { name: "Grave", position: 1 });
  made.risk = await make("/risks", { subject: "One line only", severity: "grave", manager_id: people.manager.id });
  browser = await startBrowser();
  page = await (await openBrowserAs(here, browser, "specialist")).newPage();
  await page.goto(`${here.url}${account}/inbox/my_teams?language=pseudo`);
});
afterAll(() => browser?.close());

/** Collects overflowing texts; the last step reports all of them. */
async function collectCrowding(name: string, at: Page = page): Promise<void> {
  crowded.push(...(await findCrowding(at, widths)).map((each) => `${name} ${each}`));
  await at.setViewportSize({ width: 1440, height: 900 });
}

const open = async (path: string, shown: string) => {
  await visit(page, `${here.url}${account}${path}`);
  await page.locator(shown).first().waitFor();
};
const pseudoDialog = () => page.getByRole("dialog").filter({ hasText: "~]" });

story("everything fits in a language with longer words", {
  "the inbox, the palette and the sheet of keys": async () => {
    await page.getByRole("option").filter({ hasText: "Wireless drops" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Space");
    await page.locator(".peek").waitFor();
    await collectCrowding("inbox");
    await page.keyboard.press("Control+k");
    await pseudoDialog().first().waitFor();
    await collectCrowding("palette");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await pseudoDialog().first().waitFor();
    await collectCrowding("shortcuts");
    await page.keyboard.press("Escape");
    expect(crowded.splice(0)).toEqual([]);
  },
  "a request, a problem, a release and a risk": async () => {
    await open(`/requests/${made.request}`, ".request-page [role=feed]");
    await page.getByText("Since this morning.").waitFor();
    await collectCrowding("request");
    await page.keyboard.press("e");
    await pseudoDialog().first().waitFor();
    await collectCrowding("complete");
    for (const [name, path] of [
      ["problem", `/problems/${made.problem}`],
      ["release", `/releases/${made.release}`],
      ["risk", `/risks/${made.risk}`],
    ] as const) {
      await open(path, ".request-page [role=feed]");
      await collectCrowding(name);
    }
    expect(crowded.splice(0)).toEqual([]);
  },
  "a list with selected rows and filters, and a new request": async () => {
    await open("/requests?status=in_progress&impact=high&sort=id", ".list-frame [role=row]");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.locator(".list-bulk").waitFor();
    await collectCrowding("list");
    await open("/inbox/my_teams?new=request", "[role=dialog]");
    await pseudoDialog().first().waitFor();
    await collectCrowding("new request");
    expect(crowded.splice(0)).toEqual([]);
  },
  "first steps, the profile and notifications": async () => {
    const admin = await (await openBrowserAs(here, browser, "administrator")).newPage();
    await admin.goto(`${here.url}${account}/settings?language=pseudo`);
    await admin.getByRole("region").first().waitFor();
    await collectCrowding("settings", admin);
    await admin.close();
    await open("/profile/general", "h1");
    await page.getByRole("radio").first().waitFor();
    await collectCrowding("profile");
    await open("/notifications", "h1");
    await page.getByText("Mia Manager").first().waitFor();
    await collectCrowding("notifications");
    expect(crowded.splice(0)).toEqual([]);
  },
  "the sign-in page, whose words are German": async () => {
    const context = await browser.newContext({ locale: "de-DE", reducedMotion: "reduce" });
    const signIn = await context.newPage();
    await signIn.goto(`${here.url}/sign_in`);
    await collectCrowding("sign-in", signIn);
    await expectUsable(signIn, widths.toReversed());
    await context.close();
    expect(crowded.splice(0)).toEqual([]);
  },
});
