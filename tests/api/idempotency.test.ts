import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { FormBrowser, setPasswords } from "../support/clients/form-browser.ts";
import { loggedErrors, world } from "../support/world.ts";

// The server carries out calls with the same Idempotency-Key once.

const at = await world();
const { as, clock, sql, nobody } = at;
const admin = as("administrator");
const keyed = (key: string = randomUUID()) => ({ "Idempotency-Key": key });
const countSpecimens = async (name: string) =>
  Number((await sql<{ count: string }>("SELECT count(*) FROM specimens WHERE subject = $1", [name]))[0]?.count);
const readReplayed = (headers: Headers) => headers.get("idempotency-replayed");

describe("the same key", () => {
  test("CV34: a repeated POST changes nothing and gets the same status, body and headers", async () => {
    const headers = keyed();
    const body = { subject: "once", unknown_member: 1 };
    const first = await admin.post("/specimens", body, headers);
    expect(readReplayed(first.headers)).toBeNull();
    const second = await admin.post("/specimens", body, headers);
    expect(second.text).toBe(first.text);
    expect(second.status).toBe(first.status);
    expect(readReplayed(second.headers)).toBe("true");
    for (const name of ["x-ignored-fields", "location", "content-type"])
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect(await countSpecimens("once")).toBe(1);
  });

  test("CV34: a repeated PATCH gets the first response, even if the record has changed since", async () => {
    const { body: record } = await admin.post("/specimens", { subject: "patched" });
    const headers = keyed();
    const change = () => admin.patch(`/specimens/${record.id}`, { long: "first" }, headers);
    const first = await change();
    await admin.patch(`/specimens/${record.id}`, { long: "second" });
    expect((await change()).text).toBe(first.text);
    expect((await admin.get(`/specimens/${record.id}`)).body.long).toBe("second");
    expect((await admin.get(`/specimens/${record.id}/audit`)).body).toHaveLength(3);
  });

  test("CV34: a call without a body is repeated as well", async () => {
    const { body: record } = await admin.post("/teams", { name: "linked" });
    const headers = keyed();
    const link = () => admin.post(`/teams/${record.id}/members/1`, undefined, headers);
    const [first, second] = [await link(), await link()];
    expect(first.status).toBe(200);
    expect([second.status, second.text, readReplayed(second.headers)]).toEqual([first.status, first.text, "true"]);
  });

  test("CV34: concurrent repetitions create one record; the others wait for its response or get 409", async () => {
    const headers = keyed();
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => admin.post("/specimens", { subject: "at once" }, headers)),
    );
    const made = replies.filter(({ status }) => status < 300);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const { status, headers: responseHeaders, body } of replies.filter((reply) => reply.status >= 300)) {
      expect([status, responseHeaders.get("retry-after")]).toEqual([409, "1"]);
      expect(body.message).toBe("A call with this Idempotency-Key is being carried out");
    }
    expect(await countSpecimens("at once")).toBe(1);
    expect(readReplayed((await admin.post("/specimens", { subject: "at once" }, headers)).headers)).toBe("true");
  });

  test("CV34: a file that is uploaded again gets the same key", async () => {
    const { body: storage } = await admin.get("/attachments/storage");
    const upload = () => {
      const form = new FormData();
      for (const [name, value] of Object.entries<string>(storage.local)) form.append(name, value);
      form.append("file", new Blob(["content"]), "notes.txt");
      return admin.post("/attachments", form, headers);
    };
    const headers = keyed();
    const [first, second] = [await upload(), await upload()];
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
  });
});

describe("another call", () => {
  test("CV35: the same key with another body, path or method returns 409", async () => {
    const headers = keyed();
    const { body: record } = await admin.post("/specimens", { subject: "taken" }, headers);
    for (const reply of [
      await admin.post("/specimens", { subject: "other" }, headers),
      await admin.post("/specimens?fields=id", { subject: "taken" }, headers),
      await admin.post("/teams", { subject: "taken" }, headers),
      await admin.patch(`/specimens/${record.id}`, { subject: "taken" }, headers),
    ]) {
      expect(reply.status).toBe(409);
      expect(reply.body).toEqual({ message: "This Idempotency-Key was used for another call" });
      expect(reply.headers.get("retry-after")).toBeNull();
    }
    expect(await countSpecimens("other")).toBe(0);
  });

  test("CV35: each person and account has its own keys", async () => {
    const headers = keyed();
    const make = async (client: typeof admin) =>
      (await client.post("/specimens", { subject: "shared key" }, headers)).body.id;
    const ids = [await make(admin), await make(as("stranger")), await make(as("provider"))];
    expect(new Set(ids).size).toBe(3);
    expect(await make(admin)).toBe(ids[0]);
  });

  test("CV36: a key is kept for 24 hours, then its row is deleted", async () => {
    const headers = keyed();
    const make = async () => (await admin.post("/specimens", { subject: "expiring" }, headers)).body.id;
    const id = await make();
    await clock.pass(24 * 3600 - 1);
    expect(await make()).toBe(id);
    const { length: before } = await sql("SELECT 1 FROM idempotency_keys");
    expect(before).toBeGreaterThan(0);
    await clock.pass(3 * 3600);
    expect(await sql("SELECT 1 FROM idempotency_keys")).toEqual([]);
    expect(await make()).not.toBe(id);
  });
});

describe("failures", () => {
  test("CV35: a failed call stores no key and can be repeated, corrected or not", async () => {
    const headers = keyed();
    expect((await admin.post("/specimens", { subject: "" }, headers)).status).toBe(422);
    expect((await admin.post("/specimens", { subject: "", count: 1 }, headers)).status).toBe(422);
    const made = await admin.post("/specimens", { subject: "corrected" }, headers);
    expect([made.status < 300, readReplayed(made.headers)]).toEqual([true, null]);
  });

  test("CV34: the key commits with the change: if the key can't be stored, nothing is changed", async () => {
    await sql("ALTER TABLE idempotency_keys ADD CONSTRAINT refuse_all CHECK (answer = 'never') NOT VALID");
    const failed = await admin.post("/specimens", { subject: "torn" }, keyed());
    await sql("ALTER TABLE idempotency_keys DROP CONSTRAINT refuse_all");
    expect(failed.status).toBe(500);
    expect(await countSpecimens("torn")).toBe(0);
    const errors = at.log.splice(0).filter((line) => line.includes('"level":"error"'));
    expect(errors.join()).toContain("refuse_all");
  });

  test("CV36: a key that is empty, too long or not visible ASCII is rejected with 400", async () => {
    for (const key of ["a".repeat(256), "two words", "blank ", "schlüssel", "tab\tbed"]) {
      const sent = Buffer.from(key).toString("latin1");
      const reply = await admin.post("/specimens", { subject: "bad key" }, { "Idempotency-Key": sent });
      // HTTP ignores blanks at the end of a header.
      if (key !== "blank ") expect(reply.status, key).toBe(400);
    }
    expect((await admin.post("/specimens", { subject: "long key" }, keyed("~".repeat(255)))).status).toBeLessThan(300);
    expect((await nobody.post("/specimens", { subject: "x" }, keyed())).status).toBe(401);
  });

  test("CV36: a response that is too large is not stored, and the call is not carried out again", async () => {
    const headers = keyed();
    const picture_uri = `data:image/png;base64,${"A".repeat(300_000)}`;
    const body = { name: "large", picture_uri };
    expect((await admin.post("/teams", body, headers)).status).toBeLessThan(300);
    const { status, body: refusal } = await admin.post("/teams", body, headers);
    expect([status, refusal.message]).toEqual([
      409,
      "This call has been carried out; its answer was too large to be kept",
    ]);
    expect(await sql("SELECT 1 FROM teams WHERE name = 'large'")).toHaveLength(1);
  });
});

test("CV36: secrets in stored responses are encrypted, and the session interface accepts keys", async () => {
  await setPasswords(at, "specialist");
  const browser = new FormBrowser(at.url);
  await browser.signIn("specialist");
  const headers = keyed();
  const make = () => browser.api("POST", "/personal-access-tokens", { name: "once", scopes: "me:All" }, headers);
  const [first, second] = [await make(), await make()];
  expect([first.status, second.status, readReplayed(second.headers)]).toEqual([201, 201, "true"]);
  expect(second.body).toEqual(first.body);
  const rows = await sql<{ key_hash: string; answer: string | null }>("SELECT key_hash, answer FROM idempotency_keys");
  const stored = rows.map(({ key_hash, answer }) => key_hash + answer + Buffer.from(answer ?? "", "base64")).join();
  expect(stored).not.toContain(first.body.token);
  expect(stored).not.toContain(headers["Idempotency-Key"]);
  expect(await sql("SELECT 1 FROM tokens WHERE name = 'once'")).toHaveLength(1);
});

test("CV34: a call that makes several changes and reads in between is repeated as a whole", async () => {
  await setPasswords(at, "administrator");
  const browser = new FormBrowser(at.url);
  await browser.signIn("administrator");
  const headers = keyed();
  const path = "/accounts/widget-it/oauth-applications";
  const wanted = { name: "Keyed", grant_type: "client_credentials", scopes: "*:*", person: "ada@widget.example" };
  const [first, second] = [
    await browser.api("POST", path, wanted, headers),
    await browser.api("POST", path, wanted, headers),
  ];
  expect([first.status, second.status], JSON.stringify(first.body)).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  expect((await browser.api("GET", path)).body.filter(({ name }: { name: string }) => name === "Keyed")).toHaveLength(
    1,
  );
});

test("nothing was logged as an error", () => expect(loggedErrors(at.log)).toEqual([]));
