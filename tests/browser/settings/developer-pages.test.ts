import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../../support/clients/chromium.ts";
import { requestClientCredentialsToken, setPasswords } from "../../support/clients/form-browser.ts";
import { createSessionClient, signInForCookie } from "../../support/clients/session-client.ts";
import { expectUsable, openBrowserAs, visit } from "../../support/clients/signed-in-page.ts";
import { until } from "../../support/waiting.ts";
import { world } from "../../support/world.ts";

// The developer pages: webhooks with a sandbox, keys, applications, the request log, the API reference.

const here = await world();
const admin = here.as("administrator");
let browser: Browser;
let page: Page;

const open = (path: string) => visit(page, `${here.url}/a/widget-it/settings/${path}`);

beforeAll(async () => {
  await buildWeb(() => {});
  await setPasswords(here, "administrator");
  browser = await startBrowser();
  page = await (await openBrowserAs(here, browser, "administrator")).newPage();
});
afterAll(() => browser?.close());

describe("webhooks", () => {
  test("one click verifies a webhook to the sandbox; a failure status fails the delivery, which is recovered", async () => {
    await open("webhook-sandboxes");
    await page.getByRole("button", { name: "New sandbox" }).click();
    await page.getByRole("combobox", { name: "Event" }).fill("team.upd");
    await page
      .getByRole("option", { name: /team.update/i })
      .first()
      .click();
    await page.getByRole("button", { name: "Add webhook" }).click();
    await page.getByRole("button", { name: "Verify webhook" }).click();
    await page.getByText("Active").first().waitFor();
    await page.getByRole("button", { name: "Send test" }).click();
    await page.locator(".sandbox-message b").getByText("team.update", { exact: true }).waitFor();
    await expectUsable(page, [1440]);

    await page.getByRole("combobox", { name: "Responds with" }).click();
    await page.getByRole("option", { name: "500" }).click();
    const { body: sandboxes } = await admin.get("/webhook_sandboxes");
    await until(async () => (await admin.get("/webhook_sandboxes")).body[0].status === 500);
    const { body: team } = await admin.post("/teams", { name: "Told" });
    await admin.patch(`/teams/${team.id}`, { remarks: "Changed" });
    await page.getByText("responded 500").first().waitFor();
    await open("webhook-deliveries?state=waiting");
    await page.getByRole("button", { name: "team.update", exact: true }).click();
    await page.getByRole("complementary", { name: "Delivery" }).getByText("next in").waitFor();
    await page.getByRole("tab", { name: "Verify signature" }).click();
    await page.getByText("This message is not signed").waitFor();
    await expectUsable(page, [1440]);

    await here.sql("UPDATE webhook_deliveries SET state = 'failed' WHERE state = 'waiting'");
    await admin.patch(`/webhook_sandboxes/${sandboxes[0].key}`, { status: 200 });
    await open("webhook-deliveries?state=failed");
    await page.getByText("Failed 1", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Redeliver failed…" }).click();
    await page.getByLabel("Failed since").fill("2020-01-01T00:00");
    await page.getByText("1 message will be redelivered").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Redeliver" }).click();
    await page.getByText("Redelivering 1 message").waitFor();
    await until(
      async () => (await admin.get("/webhook_deliveries?state=delivered&event=team.update")).body.length === 2,
    );
  });

  test("the webhook pages and the settings point out two webhooks that send the same event to one address", async () => {
    const [first] = (await admin.get("/webhooks?fields=name,event,uri")).body;
    const twin = await admin.post("/webhooks", { name: "Once more", event: first.event, uri: first.uri });
    expect(twin.status, twin.text).toBeLessThan(300);
    await page.goto(`${here.url}/a/widget-it/webhooks/${first.id}`);
    await page.getByText("Duplicate webhook").waitFor();
    await expectUsable(page, [1440]);
    await open("");
    await page.getByText("Webhook “Once more” duplicates another one: each event is sent twice").waitFor();
    await admin.patch(`/webhooks/${twin.body.id}`, { disabled: true });
    await page.goto(`${here.url}/a/widget-it/webhooks/${first.id}`);
    await page.getByRole("table").first().waitFor();
    await page.getByText("Duplicate webhook").waitFor({ state: "detached" });
  });

  test("a new key is shown once and used after the overlap", async () => {
    await admin.post("/webhook_policies", { jwt_alg: "es256" });
    await open("webhook-keys");
    await page.getByRole("button", { name: "Rotate key" }).click();
    await page.getByText("BEGIN PUBLIC KEY").waitFor();
    await page.getByText("Verify signature").click();
    await page.getByText("importSPKI").first().waitFor();
    await expectUsable(page, [1440]);
    await page.getByRole("button", { name: "Use new key now" }).click();
    await page.getByRole("button", { name: "Rotate key" }).waitFor();
  });

  test("the code sample beside a signed message verifies it and rejects a changed one", async () => {
    const { body: policy } = await admin.post("/webhook_policies", { jwt_alg: "es256" });
    const [first] = (await admin.get("/webhooks?fields=uri")).body;
    const signed = { name: "Signed", event: "team.update", uri: first.uri, webhook_policy_id: policy.id };
    const { body: webhook } = await admin.post("/webhooks", signed);
    await here.sql("UPDATE webhooks SET verified = true WHERE id = $1", [webhook.id]);
    expect((await admin.post(`/webhooks/${webhook.id}/test`)).status).toBeLessThan(300);
    const deliveries = async () => (await admin.get(`/webhooks/${webhook.id}/deliveries`)).body;
    await until(async () => (await deliveries()).some(({ state }: { state: string }) => state === "delivered"));
    await visit(page, `${here.url}/a/widget-it/webhooks/${webhook.id}`);
    await page
      .getByRole("button", { name: /team.update/ })
      .first()
      .click();
    await page.getByRole("tab", { name: "Verify signature" }).click();
    const code = (await page.getByLabel("Verify signature").last().textContent()) ?? "";
    expect(code).toContain("importSPKI");
    const [{ id }] = (await deliveries()).filter(({ state }: { state: string }) => state === "delivered");
    const { body: delivery } = await admin.get(`/webhooks/${webhook.id}/deliveries/${id}`);
    const check = async (body: string) => {
      const script = `${code}\nconsole.log(JSON.stringify(await verify(${JSON.stringify(body)})));`;
      const run = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
        ...{ cwd: join(import.meta.dirname, "../../.."), env: { ...process.env, WEBHOOK_KEY: policy.public_key_pem } },
      });
      return JSON.parse((await run).stdout);
    };
    expect((await check(delivery.body)).event).toBe("team.update");
    const { jwt } = JSON.parse(delivery.body);
    await expect(check(JSON.stringify({ jwt: `${jwt.slice(0, -6)}AAAAAA` }))).rejects.toThrow(/signature/);
  });
});

describe("applications", () => {
  test("the flow ends with a token in the page, not in the address, and the token is revoked", async () => {
    const session = await createSessionClient(here, await signInForCookie(here, "administrator"));
    const { body: application, text } = await session.post("/accounts/widget-it/oauth-applications", {
      ...{ name: "Flow", grant_type: "authorization_code", endpoints: ["https://client.example/back"] },
      scopes: [{ effect: "allow", actions: ["me:All"], accounts: [] }],
    });
    expect(application?.id, text).toBeDefined();
    const { body: pair } = await session.post(`/accounts/widget-it/oauth-applications/${application.id}/clients`, {});
    await open(`applications/${application.id}/try`);
    await page.getByRole("button", { name: "Add this page" }).click();
    await page.getByLabel("Client secret").fill(pair.client_secret);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Get token" }).click();
    await page.getByRole("button", { name: /Allow/ }).click();
    await page.getByText("2. Call the API with the token").waitFor();
    expect(page.url()).not.toContain("code=");
    expect(await page.content()).not.toContain(pair.client_secret);
    await expectUsable(page, [1440]);
    await page.getByRole("button", { name: "Revoke token" }).click();
    await page.getByText("4. Call the API with the token").waitFor();
    await page.getByText("401").first().waitFor();
    // Changing scopes revokes the tokens that people have authorized. The page warns before it saves.
    await open(`applications/${application.id}`);
    await page.getByRole("heading", { name: "Flow" }).first().waitFor();
    const warning = page.getByText("People must authorize the application again");
    expect(await warning.count()).toBe(0);
    await page
      .getByRole("checkbox", { name: /Teams|Team/ })
      .first()
      .click();
    await warning.waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("saved").first().waitFor();
    const [after] = await here.sql("SELECT scopes FROM oauth_applications WHERE id = $1", [application.id]);
    expect(JSON.stringify(after)).toContain("team");
  });
});

describe("client pairs", () => {
  test("an application gets a new client pair, and the old one works until it is disabled", async () => {
    const session = await createSessionClient(here, await signInForCookie(here, "administrator"));
    const { body: application, text } = await session.post("/accounts/widget-it/oauth-applications", {
      ...{ name: "Robot", grant_type: "client_credentials", person: "sam@widget.example" },
      scopes: [{ effect: "allow", actions: ["me:All"], accounts: [] }],
    });
    expect(application?.id, text).toBeDefined();
    const { body: old } = await session.post(`/accounts/widget-it/oauth-applications/${application.id}/clients`, {});
    await open(`applications/${application.id}`);
    await page.getByRole("button", { name: "Add credentials" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "New credentials" });
    const read = async (label: string) => (await dialog.getByLabel(label, { exact: true }).textContent()) ?? "";
    const fresh = { ...old, client_id: await read("Client ID"), client_secret: await read("Client secret") };
    await dialog.getByRole("button", { name: "I've copied it" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    for (const pair of [old, fresh]) expect((await requestClientCredentialsToken(here.url, pair)).status).toBe(200);
    const { access_token } = (await requestClientCredentialsToken(here.url, old)).body;
    await page.getByRole("button", { name: `Disable credentials ${old.client_id.slice(0, 8)}` }).press("Enter");
    await page.getByRole("button", { name: `Enable credentials ${old.client_id.slice(0, 8)}` }).waitFor();
    expect((await requestClientCredentialsToken(here.url, old)).body.error).toBe("invalid_client");
    expect((await here.withToken(access_token).get("/me")).status).toBe(401);
    const { body } = await requestClientCredentialsToken(here.url, fresh);
    expect((await here.withToken(body.access_token).get("/me")).status).toBe(200);
  });
});

describe("the API", () => {
  test("a failing call is made in the reference and found in the log by its request ID", async () => {
    await open("api");
    await page.getByLabel("Search endpoints").fill("archive");
    await page
      .getByRole("button", { name: /\/archive/ })
      .first()
      .waitFor();
    await page.getByLabel("Search endpoints").fill("teams get");
    await page
      .getByRole("button", { name: /\/teams\/\{id\}/ })
      .first()
      .click();
    await page.getByRole("textbox", { name: "id" }).first().fill("4000000");
    await page.getByRole("button", { name: "Try with my account" }).click();
    await page.getByText("404").first().waitFor();
    await expectUsable(page, [1440]);
    await page.locator(".reference-answer a").click();
    await page.getByRole("button", { name: "/v1/teams/4000000" }).click();
    const panel = page.getByRole("complementary", { name: "Call" });
    await panel.getByText("Request ID").waitFor();
    await expectUsable(page, [1440]);
    await panel.getByRole("button", { name: "Try this call" }).press("Enter");
    await until(async () => (await page.getByRole("textbox", { name: "id" }).first().inputValue()) === "4000000");
  });

  test("the keyboard filters the log, it is exported as a file, the limits show the remaining calls, and the changes are searchable", async () => {
    await admin.delete("/teams/4000001");
    await here.service.api.requestLog.flush();
    await open("request-log");
    await page.getByRole("button", { name: "/v1/teams/4000001" }).waitFor();
    await page.keyboard.press("f");
    await page.getByRole("menuitem", { name: "Method" }).press("Enter");
    await page.getByRole("menuitem", { name: "DELETE" }).press("Enter");
    await page.waitForURL(/method=DELETE/);
    await page.getByRole("button", { name: "/v1/teams/4000000" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "/v1/teams/4000001" }).waitFor();
    await expectAccessible(page);
    const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Shift+E")]);
    expect(file.suggestedFilename()).toBe("calls.csv");
    await page.getByRole("button", { name: "Remove Method filter" }).press("Enter");
    await page.getByRole("link", { name: "Rate limits" }).press("Enter");
    await page.getByRole("heading", { name: "Remaining this hour" }).waitFor();
    await page.getByRole("table", { name: "Calls in the last hour" }).waitFor();
    await expectUsable(page, [1440]);
    await page.getByRole("link", { name: "Changelog", exact: true }).press("Enter");
    await page.getByRole("heading", { name: "API", level: 3 }).waitFor();
    await page.getByRole("textbox", { name: "Search changes" }).fill("webhook_sandboxes");
    await page.getByRole("listitem").filter({ hasText: "receivers for testing webhooks" }).waitFor();
    expect(await page.locator(".changes-area li").count()).toBe(1);
    await expectUsable(page, [1440]);
  });
});
