import assert from "node:assert/strict";
import { createPublicKey, createSecretKey } from "node:crypto";
import { createRemoteJWKSet, importSPKI, jwtVerify } from "jose";
import jsonwebtoken from "jsonwebtoken";
import { beforeAll, beforeEach, describe, test } from "vitest";
import { createActiveWebhook, deliverDueWebhooks } from "../support/webhooks/active-webhook.ts";
import { answerWithStatus, type Receiver, startReceiver } from "../support/webhooks/receiver.ts";
import { type Client, type World, world } from "../support/world.ts";

// WH4, WH11, WH12. Two independent libraries verify the signatures.

let the: World;
let ada: Client;
let there: Receiver;

beforeAll(async () => {
  the = await world();
  ada = the.as("administrator");
  there = await startReceiver();
});
beforeEach(async () => {
  for (const table of ["webhooks", "webhook_deliveries", "webhook_policies"]) await the.sql(`DELETE FROM ${table}`);
  there.clear();
  there.answer = answerWithStatus(200);
});

const algorithms = ["none", "hs256", "hs384", "hs512", "rs256", "rs384", "rs512", "es256", "es384", "es512"];
const createPolicy = async (values: Record<string, unknown>) => {
  const reply = await ada.post("/webhook_policies", values);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
};
const createJwt = async (values: Record<string, unknown>) => {
  const webhook = await createActiveWebhook(the, ada, there, { event: "team.update", ...values });
  await ada.patch("/teams/1", { remarks: `Signed ${Math.random()}` });
  await deliverDueWebhooks(the);
  const message = there.messages.at(-1);
  assert.deepEqual(Object.keys(message?.body), ["jwt"]);
  return { webhook, jwt: message?.body.jwt as string };
};
const parseJwt = (jwt: string) =>
  jwt
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
const nowSeconds = () => Math.floor(the.clock.now().getTime() / 1000);
const currentDate = () => the.clock.now();

describe("policies", () => {
  test("WH4: only the response that creates the key contains it", async () => {
    const made = await createPolicy({ jwt_alg: "rs256", jwt_audience: "chat", jwt_claim_expires_in: 5 });
    assert.match(made.name, /^[0-9a-f]{56}$/);
    assert.match(made.public_key_pem, /^-----BEGIN PUBLIC KEY-----/);
    assert.equal(createPublicKey(made.public_key_pem).asymmetricKeyDetails?.modulusLength, 2048);
    const read = await ada.get(`/webhook_policies/${made.id}`);
    assert.deepEqual([read.status, "public_key_pem" in read.body], [200, false]);
    assert.ok(!("sealed_key" in read.body));
    const same = await ada.patch(`/webhook_policies/${made.id}`, { jwt_audience: "room" });
    assert.deepEqual([same.status, same.body.jwt_audience, "public_key_pem" in same.body], [200, "room", false]);
    const changed = await ada.patch(`/webhook_policies/${made.id}`, { jwt_alg: "es384" });
    assert.equal(createPublicKey(changed.body.public_key_pem).asymmetricKeyDetails?.namedCurve, "secp384r1");
    assert.equal(changed.body.name, made.name);
    const audit = await ada.get(`/webhook_policies/${made.id}/audit`);
    assert.equal(audit.status, 200);
    assert.ok(!/PRIVATE|sealed|BEGIN/.test(audit.text));
    const [row] = await the.sql("SELECT sealed_key FROM webhook_policies WHERE id = $1", [made.id]);
    assert.ok(!/PRIVATE|LS0tLS1/.test(row?.sealed_key));
  });

  test("policies have a list, filters and views", async () => {
    const one = await createPolicy({ jwt_alg: "none" });
    const two = await createPolicy({ jwt_alg: "hs256", disabled: true });
    assert.deepEqual([one.public_key_pem, typeof two.public_key_pem], [null, "string"]);
    const ids = async (path: string) => (await ada.get(path)).body.map(({ id }: { id: number }) => id);
    assert.deepEqual(await ids("/webhook_policies"), [one.id, two.id]);
    assert.deepEqual(Object.keys((await ada.get("/webhook_policies")).body[0]).sort(), [
      "created_at",
      "id",
      "name",
      "nodeID",
      "updated_at",
    ]);
    assert.deepEqual(await ids("/webhook_policies/enabled"), [one.id]);
    assert.deepEqual(await ids("/webhook_policies/disabled"), [two.id]);
    assert.deepEqual(await ids(`/webhook_policies?name=${two.name.toUpperCase()}`), [two.id]);
    assert.equal((await ada.post("/webhook_policies", {})).status, 422);
    assert.equal((await ada.post("/webhook_policies", { jwt_alg: "ps256" })).status, 422);
  });

  test("WH4: a policy in use can't be deleted, and a disabled one can't be linked", async () => {
    const { id } = await createPolicy({ jwt_alg: "hs256" });
    const { body } = await ada.post("/webhooks", {
      event: "team.update",
      uri: `${there.url}/hook`,
      webhook_policy_id: id,
    });
    assert.equal(body.webhook_policy.id, id);
    const used = await ada.delete(`/webhook_policies/${id}`);
    assert.deepEqual([used.status, used.body.errors], [422, [["base", "Record is still in use"]]]);
    assert.equal((await ada.patch(`/webhook_policies/${id}`, { disabled: true })).status, 200);
    assert.equal((await ada.patch(`/webhooks/${body.id}`, { description: "still fine" })).status, 200);
    const refused = await ada.post("/webhooks", {
      event: "team.create",
      uri: `${there.url}/hook`,
      webhook_policy_id: id,
    });
    assert.deepEqual([refused.status, refused.body.errors.map(([name]: [string]) => name)], [422, ["webhook_policy"]]);
    await ada.patch(`/webhooks/${body.id}`, { webhook_policy_id: null });
    assert.equal((await ada.delete(`/webhook_policies/${id}`)).status, 204);
  });
});

describe("signatures", () => {
  test.each(algorithms)("WH11: two libraries verify %s", async (alg) => {
    const made = await createPolicy({ jwt_alg: alg, jwt_audience: "chat", jwt_claim_expires_in: 5 });
    const { webhook, jwt } = await createJwt({ webhook_policy_id: made.id });
    const [header, claims] = parseJwt(jwt);
    assert.deepEqual(header, { typ: "JWT", alg: alg === "none" ? "none" : alg.toUpperCase() });
    const { data, jti, ...rest } = claims;
    assert.deepEqual(rest, {
      iss: `${the.url}/a/widget-it`,
      sub: String(webhook.id),
      iat: nowSeconds(),
      nbf: nowSeconds(),
      exp: nowSeconds() + 300,
      aud: "chat",
    });
    assert.match(jti, /^[0-9a-f]{64}$/);
    assert.deepEqual([data.event, data.object_id, data.webhook_id], ["team.update", 1, webhook.id]);
    if (alg === "none") return assert.equal(jwt.split(".")[2], "");
    const name = alg.toUpperCase() as jsonwebtoken.Algorithm;
    const key = alg.startsWith("hs")
      ? createSecretKey(Buffer.from(made.public_key_pem))
      : await importSPKI(made.public_key_pem, name);
    const options = { algorithms: [name], issuer: rest.iss, audience: "chat" };
    assert.equal((await jwtVerify(jwt, key, { ...options, currentDate: currentDate() })).payload.jti, jti);
    const verified = jsonwebtoken.verify(jwt, made.public_key_pem, { ...options, clockTimestamp: nowSeconds() });
    assert.equal((verified as { jti: string }).jti, jti);
    const forged = `${jwt.split(".")[0]}.${Buffer.from(JSON.stringify({ ...claims, sub: "1" })).toString("base64url")}.${jwt.split(".")[2]}`;
    await assert.rejects(jwtVerify(forged, key, { ...options, currentDate: currentDate() }));
    await assert.rejects(jwtVerify(jwt, key, { ...options, currentDate: new Date(Date.now() + 301_000) }));
  });

  test("WH11: aud and exp are present only if the policy sets them, and every message has its own jti", async () => {
    const made = await createPolicy({ jwt_alg: "hs256" });
    const { jwt } = await createJwt({ webhook_policy_id: made.id });
    const [, claims] = parseJwt(jwt);
    assert.ok(!("aud" in claims) && !("exp" in claims));
    await ada.patch("/teams/1", { remarks: "another" });
    await deliverDueWebhooks(the);
    assert.notEqual(parseJwt(there.messages.at(-1)?.body.jwt)[1].jti, claims.jti);
  });

  test("the verification message is signed as well", async () => {
    const made = await createPolicy({ jwt_alg: "es256" });
    await ada.post("/webhooks", { event: "team.update", uri: `${there.url}/hook`, webhook_policy_id: made.id });
    await deliverDueWebhooks(the);
    const [, claims] = parseJwt(there.messages[0]?.body.jwt);
    assert.equal(claims.data.event, "webhook.verify");
    assert.equal((await fetch(claims.data.payload.callback)).status, 200);
  });

  test("a retry renews an expired signature with the same jti, and resends a valid one", async () => {
    const made = await createPolicy({ jwt_alg: "es256", jwt_claim_expires_in: 1 });
    await createActiveWebhook(the, ada, there, { event: "team.update", webhook_policy_id: made.id });
    there.answer = answerWithStatus(500);
    await ada.patch("/teams/1", { remarks: `Expiring ${Math.random()}` });
    await deliverDueWebhooks(the);
    await the.clock.pass(7);
    assert.equal(there.messages.length, 2);
    assert.equal(there.messages[1]?.text, there.messages[0]?.text);
    await the.clock.pass(60);
    assert.equal(there.messages.length, 3);
    const [first, last] = [parseJwt(there.messages[0]?.body.jwt)[1], parseJwt(there.messages[2]?.body.jwt)[1]];
    assert.deepEqual([last.jti, last.data], [first.jti, first.data]);
    assert.deepEqual([last.iat, last.exp], [nowSeconds(), nowSeconds() + 60]);
    const key = await importSPKI(made.public_key_pem, "ES256");
    await jwtVerify(there.messages[2]?.body.jwt, key, { currentDate: currentDate() });
  });
});

describe("discovery", () => {
  test.each(["rs256", "es512"])("WH12: the key of %s can be discovered from the issuer", async (alg) => {
    const made = await createPolicy({ jwt_alg: alg });
    const { jwt } = await createJwt({ webhook_policy_id: made.id, openid_connect_discovery: true });
    const [header, claims] = parseJwt(jwt);
    assert.equal(claims.iss, `${the.url}/a/widget-it/webhook_policies/${made.name}`);
    const document = await fetch(`${claims.iss}/.well-known/openid-configuration`);
    assert.deepEqual([document.status, document.headers.get("cache-control")], [200, "public, max-age=3600"]);
    const { issuer, jwks_uri } = (await document.json()) as { issuer: string; jwks_uri: string };
    assert.deepEqual([issuer, jwks_uri], [claims.iss, `${claims.iss}/jwks`]);
    const { keys } = (await (await fetch(jwks_uri)).json()) as { keys: Record<string, string>[] };
    assert.equal(keys.length, 1);
    assert.deepEqual(
      [keys[0]?.kid, keys[0]?.use, keys[0]?.alg, keys[0]?.d],
      [header.kid, "sig", alg.toUpperCase(), undefined],
    );
    const { payload } = await jwtVerify(jwt, createRemoteJWKSet(new URL(jwks_uri)), {
      issuer,
      currentDate: currentDate(),
    });
    assert.equal(payload.jti, claims.jti);
    // After changing the key, messages signed with the former one can be verified while retries are possible.
    await ada.patch(`/webhook_policies/${made.id}`, { jwt_alg: "es256" });
    const after = (await (await fetch(jwks_uri)).json()) as { keys: Record<string, string>[] };
    assert.deepEqual(
      after.keys.map(({ alg: name }) => name),
      ["ES256", alg.toUpperCase()],
    );
  });

  test("WH12: without discovery, or with a shared secret, no key is published", async () => {
    const rs = await createPolicy({ jwt_alg: "rs256" });
    const hs = await createPolicy({ jwt_alg: "hs256" });
    const { jwt } = await createJwt({ webhook_policy_id: rs.id });
    assert.ok(!("kid" in parseJwt(jwt)[0]));
    const signed = await createJwt({
      webhook_policy_id: hs.id,
      openid_connect_discovery: true,
      uri: `${there.url}/hs`,
    });
    assert.equal(parseJwt(signed.jwt)[1].iss, `${the.url}/a/widget-it`);
    for (const { name } of [rs, hs, { name: "nonsense" }])
      for (const path of [".well-known/openid-configuration", "jwks"])
        assert.equal((await fetch(`${the.url}/a/widget-it/webhook_policies/${name}/${path}`)).status, 404, path);
    assert.equal((await fetch(`${the.url}/a/stranger/webhook_policies/${rs.name}/jwks`)).status, 404);
  });
});
