import { describe, expect, test } from "vitest";
import { signInClient } from "../support/clients/session-client.ts";
import { compareTimes, createRecords, type Intruder, listAttempts, tryAttempts } from "../support/hostile/isolation.ts";
import { Noise } from "../support/hostile/noise.ts";
import { seedFor } from "../support/random.ts";
import { atScale } from "../support/scale.ts";
import type { Role } from "../support/seed.ts";
import { world } from "../support/world.ts";

// Records of an account the caller has no part in do not exist: whatever is tried with their ids, the answer is the same,
// to the letter, as for an id that was never given out. `npm run survive -- --what isolation` tries more.

const the = await world();
const { as, service, sql } = the;
const { types } = service.engine;

const ours = await createRecords(as("administrator"), types);
// Ids that occur nowhere else by chance, so that they can be taken out of an answer.
for (const type of types.all)
  if (!type.routes.singleton && !type.storage.virtual && type.storage.sharesIdsWith === null)
    await sql(`SELECT setval('"${type.collection}_id_seq"', 1900000000)`);
const theirs = await createRecords(as("stranger"), types);

describe("account isolation", () => {
  const attempts = [...theirs].flatMap(([name, { id }]) =>
    listAttempts(types, types.get(name), ours, { account: "widget-it", routes: service.routes }).map((attempt) => ({
      attempt,
      id,
    })),
  );

  test("AZ11: nothing that can be tried with records of a stranger tells that they exist", async () => {
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
    // Every third, the seed says which; the survival tool tries all of them many times.
    const step = atScale(3, 1);
    const first = noise.below(step);
    const tried = attempts.filter((_, at) => at % step === first);
    expect(await tryAttempts(noise, { attempts: tried, intruders, count: tried.length, parallel: 6 })).toEqual([]);
  });

  test("AZ11: a record of a stranger and one that does not exist take the same time", async () => {
    const { id } = theirs.get("request") as { id: number };
    const ask = (each: number) => as("specialist").get(`/requests/${each}`);
    // Means of equal things are rarely more than four standard errors apart. On a busy machine they may be once, but a
    // difference is there every time.
    const isSame = async () => {
      const { distance, noise } = await compareTimes(ask, id, 150);
      return distance < Math.max(6, 3 * noise);
    };
    expect((await isSame()) || (await isSame()) || (await isSame())).toBe(true);
  });

  test("the stranger's records are as they were", async () => {
    const stranger = as("stranger");
    for (const [name, { id, path }] of theirs) {
      const reply = await stranger.get(`${path}/${id}`);
      expect([name, reply.status]).toEqual([name, 200]);
      const { created_at, updated_at = created_at } = reply.body;
      expect([name, updated_at]).toEqual([name, created_at]);
    }
  });
});
