import { describe, expect, test } from "vitest";
import { signInClient } from "../support/clients/session-client.ts";
import { compareTimes, createRecords, type Intruder, listAttempts, tryAttempts } from "../support/hostile/isolation.ts";
import { Noise } from "../support/hostile/noise.ts";
import { seedFor } from "../support/random.ts";
import { atScale } from "../support/scale.ts";
import type { Role } from "../support/seed.ts";
import { world } from "../support/world.ts";

// For a caller without access to an account, its records don't exist: every call with one of their ids gets exactly the
// response to an id that was never assigned. `npm run survive -- --what isolation` tries more calls.

const the = await world();
const { as, service, sql } = the;
const { types } = service.engine;

const ours = await createRecords(as("administrator"), types);
// Ids that don't occur in responses by chance, so that they can be removed before responses are compared.
for (const type of types.all)
  if (!type.routes.singleton && !type.storage.virtual && type.storage.sharesIdsWith === null)
    await sql(`SELECT setval('"${type.collection}_id_seq"', 1900000000)`);
const foreignRecords = await createRecords(as("stranger"), types);

describe("account isolation", () => {
  const attempts = [...foreignRecords].flatMap(([name, { id }]) =>
    listAttempts(types, types.get(name), ours, { account: "widget-it", routes: service.routes }).map((attempt) => ({
      attempt,
      id,
    })),
  );

  test("AZ11: no call with the id of a stranger's record reveals that the record exists", async () => {
    expect(attempts.length).toBeGreaterThan(1000);
    const roles: Role[] = [
      "administrator",
      "specialist",
      "auditor",
      "directoryAdmin",
      "requester",
      "keyContact",
      "provider",
    ];
    const intruders: Intruder[] = [];
    for (const role of roles) {
      const hasBrowser = ["administrator", "specialist", "requester"].includes(role);
      const browser = hasBrowser ? await signInClient(the, role) : null;
      intruders.push({ name: role, api: as(role), browser });
    }
    const noise = new Noise(seedFor("isolation"));
    // Tests every third call, starting at a seeded offset. The survival tool tries all of them many times.
    const step = atScale(3, 1);
    const first = noise.below(step);
    const tried = attempts.filter((_, at) => at % step === first);
    expect(await tryAttempts(noise, { attempts: tried, intruders, count: tried.length, parallel: 6 })).toEqual([]);
  });

  test("AZ11: a stranger's record and a missing record take the same time", async () => {
    const { id } = foreignRecords.get("request") as { id: number };
    const ask = (each: number) => as("specialist").get(`/requests/${each}`);
    // The means of two equal samples rarely differ by more than four standard errors. A busy machine can cause that
    // once, but a real difference shows every time.
    const isSame = async () => {
      const { distance, noise } = await compareTimes(ask, id, 150);
      return distance < Math.max(6, 3 * noise);
    };
    expect((await isSame()) || (await isSame()) || (await isSame())).toBe(true);
  });

  test("the stranger's records are unchanged", async () => {
    const stranger = as("stranger");
    for (const [name, { id, path }] of foreignRecords) {
      const reply = await stranger.get(`${path}/${id}`);
      expect([name, reply.status]).toEqual([name, 200]);
      const { created_at, updated_at = created_at } = reply.body;
      expect([name, updated_at]).toEqual([name, created_at]);
    }
  });
});
