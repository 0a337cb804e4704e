import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { PasswordHasher } from "../../server/oauth/passwords/passwords.ts";
import { buildWeb } from "../../tools/build-web.ts";
import { startBrowser } from "../support/clients/chromium.ts";
import { passwordFor } from "../support/clients/form-browser.ts";
import { openBrowserAs } from "../support/clients/signed-in-page.ts";
import { type ServerProcess, type ServerProcesses, serverProcesses } from "../support/processes/server-processes.ts";
import { tokenFor } from "../support/seed.ts";
import { story } from "../support/story.ts";
import { until } from "../support/waiting.ts";
import { createClient } from "../support/world.ts";

// kill -9 of the server while a person types and sends: the text stays, and the note is added once.

let processes: ServerProcesses;
let server: ServerProcess;
let browser: Browser;
let page: Page;

/** Below the ephemeral ports, so the system can't assign the port to another process while the server is dead. */
async function findLastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

const api = () =>
  createClient(server.base, { Authorization: `Bearer ${tokenFor("administrator")}`, account: "widget-it" });
const loadNotes = async (id: number): Promise<string[]> =>
  (await api().get(`/requests/${id}/notes`)).body.map(({ text }: { text: string }) => text);
const reply = () => page.getByRole("textbox", { name: /^(Reply|Note)/ });
const make = async (subject: string): Promise<number> =>
  (await api().post("/requests", { category: "incident", subject, team_id: 1, member_id: 3 })).body.id;
const open = async (id: number, subject: string) => {
  await page.goto(`${server.base.replace("/v1", "")}/a/widget-it/requests/${id}`);
  await page.getByRole("heading", { level: 1, name: subject }).waitFor();
};

beforeAll(async () => {
  await buildWeb(() => {});
  // The same port after every start, so the page sees the same server.
  processes = await serverProcesses({ PORT: String(await findLastingPort()) });
  const hash = await new PasswordHasher({ memoryCost: 64, timeCost: 1, parallelism: 1 }).hash(
    passwordFor("specialist"),
  );
  await processes.sql.query(
    "INSERT INTO passwords (person_id, account_id, hash, changed_at) VALUES (3, 'widget-it', $1, now())",
    [hash],
  );
  server = await processes.start();
  browser = await startBrowser();
  page = await (await openBrowserAs({ url: server.base.replace("/v1", "") }, browser, "specialist")).newPage();
});
afterAll(() => browser?.close());

story("the server is killed while a note is typed, sent and acknowledged: nothing is lost or added twice", {
  "killed during typing and sending: no text is lost, and the note is added once": async () => {
    const id = await make("The server dies");
    await open(id, "The server dies");
    await page.keyboard.press("r");
    await reply().pressSequentially("Typed before, ");
    await server.kill();
    await reply().pressSequentially("and after the server was gone");
    const text = "Typed before, and after the server was gone";
    expect(await reply().inputValue()).toBe(text);
    await page.keyboard.press("Control+Enter");
    await page.getByText(/change will be sent when you reconnect/).waitFor();
    server = await processes.start();
    await until(async () => (await loadNotes(id)).length > 0);
    await page.getByText("Sending…").waitFor({ state: "detached" });
    expect(await loadNotes(id)).toEqual([text]);
  },
  "killed between the commit and the response: the note isn't added again": async () => {
    const id = await make("The answer is lost");
    await open(id, "The answer is lost");
    let isLost = false;
    await page.route(`**/v1/requests/${id}`, async (route) => {
      if (isLost || route.request().method() !== "PATCH") return route.continue();
      isLost = true;
      await route.fetch(); // the server has committed the change
      await server.kill();
      await route.abort();
      server = await processes.start();
    });
    await page.keyboard.press("r");
    await reply().fill("Sent once");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Sending…").waitFor();
    await page.getByText("Sending…").waitFor({ state: "detached" });
    expect(isLost).toBe(true);
    expect(await loadNotes(id)).toEqual(["Sent once"]);
  },
  "the page is closed in the five seconds before a note is sent, and the server is down: the note is offered again":
    async () => {
      const id = await make("Closed too early");
      await open(id, "Closed too early");
      await page.keyboard.press("r");
      await reply().fill("Nobody was there to take it");
      await server.kill();
      await page.keyboard.press("Control+Enter");
      await page.getByText("Sending…").waitFor();
      const context = page.context();
      await page.close({ runBeforeUnload: false });
      server = await processes.start();
      page = await context.newPage();
      await open(id, "Closed too early");
      await page.getByText("Nobody was there to take it").first().waitFor();
      await page.getByRole("button", { name: "Try again" }).click();
      await until(async () => (await loadNotes(id)).length === 1);
      expect(await loadNotes(id)).toEqual(["Nobody was there to take it"]);
    },
});
