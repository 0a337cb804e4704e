import { beforeAll, describe, expect, test } from "vitest";
import { setPassword } from "../../server/oauth/passwords/change-password.ts";
import { FormBrowser } from "../support/clients/form-browser.ts";
import { graphqlClient } from "../support/clients/graphql-client.ts";
import { automation } from "../support/records/automation-rules.ts";
import { describeErrors } from "../support/replies.ts";
import { enableProvisioning, runDueRules, scimClient } from "../support/scim/scim-client.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// Only people who administer the same accounts can change how an administrator signs in (D-781). Otherwise, someone
// could gain an administrator's rights by changing the address that gets password reset links.

const here = await world();
const { as, sql } = here;
const admin = as("administrator");
const directoryAdmin = as("directoryAdmin");
const refusal = "can only be changed by a person who administers the same accounts";

/** Creates a second administrator of Widget IT, registered there or in the directory. */
async function createAdministrator(email: string, home = admin): Promise<number> {
  const { status, body, text } = await home.post("/people", { name: "Zoe Second", primary_email: email });
  expect(status, text).toBe(201);
  const granted = await admin.post(`/people/${body.id}/permissions/widget-it?roles=account_administrator`);
  expect(granted.status, granted.text).toBe(200);
  return body.id;
}
const loadEmail = async (id: number): Promise<string> =>
  (await sql<{ primary_email: string }>("SELECT primary_email FROM people WHERE id = $1", [id]))[0]?.primary_email ??
  "";

describe("provisioning", () => {
  test("doesn't change an administrator's address, reports that, and makes all other changes", async () => {
    const scim = scimClient(here, await enableProvisioning(admin));
    const zoe = await createAdministrator("zoe@widget.example");
    const user = await scim.user({ userName: "zoe@widget.example", displayName: "Zoe Second" });
    await runDueRules(here);
    const load = async () => (await admin.get(`/scim_users/${user.id}`)).body;
    expect(await load()).toMatchObject({ person: { id: zoe }, last_error: null });
    const moved = await scim.put(`/Users/${user.id}`, { userName: "evil@attacker.example", title: "Chief" });
    expect(moved.status).toBe(200);
    await runDueRules(here);
    expect((await admin.get(`/people/${zoe}`)).body).toMatchObject({
      primary_email: "zoe@widget.example",
      job_title: "Chief",
    });
    expect((await load()).last_error).toContain(`Primary email ${refusal}`);
    // After an administrator has made the change, nothing is left to reject.
    expect((await admin.patch(`/people/${zoe}`, { primary_email: "evil@attacker.example" })).status).toBe(200);
    expect((await admin.post(`/scim_users/${user.id}/process`)).status).toBe(204);
    await runDueRules(here);
    expect((await load()).last_error).toBe(null);
  });

  test("changes the addresses of other people", async () => {
    const scim = scimClient(here, await enableProvisioning(admin));
    const user = await scim.user({ userName: "otto@widget.example", displayName: "Otto Ordinary" });
    await runDueRules(here);
    await scim.put(`/Users/${user.id}`, { userName: "otto.new@widget.example" });
    await runDueRules(here);
    const { person, last_error } = (await admin.get(`/scim_users/${user.id}`)).body;
    expect([await loadEmail(person.id), last_error]).toEqual(["otto.new@widget.example", null]);
  });
});

test("an automation rule doesn't change the address, no matter who wrote the rule", async () => {
  const { rule, outcomes, request, settled } = automation(here);
  const ada = await loadEmail(1);
  const evil = await rule({
    ...{ name: "Evil", trigger: "on create", generic: "request", condition: "subject = 'Move it'" },
    actions: "a1: update requested_by set primary_email = 'evil2@attacker.example'",
  });
  await request({ subject: "Move it", requested_by_id: 1 });
  await settled();
  expect(await outcomes(evil)).toEqual(["failed: validation"]);
  expect(await loadEmail(1)).toBe(ada);
});

describe("an administrator of the directory account", () => {
  let zoe = 0;
  beforeAll(async () => {
    zoe = await createAdministrator("zoe.directory@widget.example", directoryAdmin);
  });

  test("can't change how an administrator of another account signs in", async () => {
    const [email, authentication] = [{ primary_email: "evil3@attacker.example" }, { authenticationID: "evil" }];
    expect(describeErrors(await directoryAdmin.patch(`/people/${zoe}`, email))).toEqual([
      `primary_email: Primary email ${refusal}`,
    ]);
    expect(describeErrors(await directoryAdmin.patch(`/people/${zoe}`, authentication))).toEqual([
      `authenticationID: Authentication ID ${refusal}`,
    ]);
    const query =
      "mutation($input: PersonUpdateInput!) { personUpdate(input: $input) { errors { path message } person { id } } }";
    const ask = graphqlClient(here, "directoryAdmin");
    const { data } = await ask(query, { input: { id: zoe, primaryEmail: "evil3@attacker.example" } });
    expect(data.personUpdate.errors).toMatchObject([{ path: ["primaryEmail"] }]);
    expect((await directoryAdmin.delete(`/people/${zoe}/second_factor`)).status).toBe(403);
    expect(await loadEmail(zoe)).toBe("zoe.directory@widget.example");
    expect((await directoryAdmin.patch(`/people/${zoe}`, { job_title: "Chief" })).status).toBe(200);
  });

  test("can do so as an administrator of that account, too", async () => {
    await admin.post("/people/2/permissions/widget-it?roles=account_administrator");
    const moved = await directoryAdmin.patch(`/people/${zoe}`, { primary_email: "zoe.moved@widget.example" });
    expect(moved.status, moved.text).toBe(200);
    await admin.delete("/people/2/permissions/widget-it");
  });
});

test("the old address gets an email about the change, and reset links sent there become invalid", async () => {
  const zoe = await createAdministrator("zoe.third@widget.example");
  const { database } = here.service.engine;
  await setPassword(database, here.clock.now(), { email: "zoe.third@widget.example", password: "the secret of zoe" });
  const browser = new FormBrowser(here.url);
  const form = await browser.get("/password_reset");
  await browser.submit(form, "/password_reset", { email: "zoe.third@widget.example" });
  await here.service.worker.runDue();
  const resets = () => sql("SELECT 1 FROM password_resets WHERE person_id = $1", [zoe]);
  await until(async () => (await resets()).length === 1);
  expect((await admin.patch(`/people/${zoe}`, { primary_email: "zoe.fourth@widget.example" })).status).toBe(200);
  expect(await resets()).toEqual([]);
  const mails = await sql<{ subject: string; body: string }>(
    "SELECT subject, body FROM mails WHERE recipient = 'zoe.third@widget.example' AND body LIKE '%zoe.fourth@widget.example%'",
  );
  expect(mails.map(({ subject }) => subject)).toEqual(["Your sign-in email address was changed"]);
});
