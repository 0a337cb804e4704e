import { createClient } from "../../tests/support/clients/json-client.ts";
import {
  compareTimes,
  createRecords,
  type Intruder,
  listAttempts,
  tryAttempts,
} from "../../tests/support/hostile/isolation.ts";
import { Noise } from "../../tests/support/hostile/noise.ts";
import { people, type Role, tokenFor } from "../../tests/support/seed.ts";
import type { Report } from "./report.ts";
import { prepareStage, type Server } from "./stage.ts";

// Attempts on the records of a stranger over all entrances, and the time that the answers take.

const unlimited = { RATE_LIMIT: "0", RATE_BURST: "0", WEBHOOK_ALLOW: "127.0.0.0/8" };
const roles = [
  "administrator",
  "specialist",
  "auditor",
  "directoryAdmin",
  "requester",
  "keyContact",
  "provider",
] as const;
const account = "widget-it";

function connectTo({ port }: Server) {
  const base = `http://127.0.0.1:${port}`;
  const as = (role: Role, inAccount: string = account) =>
    createClient(`${base}/v1`, { Authorization: `Bearer ${tokenFor(role)}`, account: inAccount });
  const browse = ({ cookie, csrf }: { cookie: string; csrf: string }) =>
    createClient(`${base}/session-api`, { Cookie: cookie, "X-CSRF-Token": csrf });
  return { base, as, browse };
}

/** The events of a stream for a record that another account changes; there must be none. */
async function listen(base: string, cookie: string, topics: string, act: () => Promise<unknown>): Promise<string> {
  const aborter = new AbortController();
  const path = `${base}/session-api/accounts/${account}/stream?topics=${topics}`;
  const response = await fetch(path, { headers: { Cookie: cookie }, signal: aborter.signal });
  let heard = "";
  const reading = (async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      heard += new TextDecoder().decode(chunk);
  })().catch(() => {});
  await act();
  await new Promise((next) => setTimeout(next, 400));
  aborter.abort();
  await reading;
  return heard
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .join("\n");
}

export async function runIsolation(count: number, seed: number, report: Report): Promise<void> {
  const stage = await prepareStage();
  try {
    const { types, sessions, apiRoutes: routes } = await stage.describe();
    const server = await stage.start(unlimited);
    const { base, as, browse } = connectTo(server);
    const ours = await createRecords(as("administrator"), types);
    // Ids that occur nowhere else by chance, so that they can be taken out of an answer.
    for (const type of types.all)
      if (!type.routes.singleton && !type.storage.virtual && type.storage.sharesIdsWith === null)
        await stage.sql.query(`SELECT setval('"${type.collection}_id_seq"', 1900000000)`);
    const theirs = await createRecords(as("stranger", people.stranger.account), types);
    for (const [name, { id }] of theirs)
      if (id === undefined && theirs.delete(name)) report.say(`${name} could not be created and is left out`);
    const attempts = [...theirs].flatMap(([name, { id }]) =>
      listAttempts(types, types.get(name), ours, { account, routes }).map((attempt) => ({ attempt, id })),
    );
    const browsers = new Map<Role, (typeof sessions)[number] | undefined>([
      ["specialist", sessions[0]],
      ["administrator", sessions[1]],
      ["requester", sessions[2]],
    ]);
    const intruders = roles.map((role): Intruder => {
      const session = browsers.get(role);
      return { name: role, api: as(role), browser: session === undefined ? null : browse(session) };
    });
    const leaks = await tryAttempts(new Noise(seed), { attempts, intruders, count, parallel: 8 });
    report.say(
      `${count} attempts of ${attempts.length} kinds by ${intruders.length} people: ${leaks.length} leaks, seed ${seed}`,
    );
    for (const leak of new Set(leaks)) report.fail(leak);
    const { cookie } = sessions[0] as { cookie: string };
    let streams = 0;
    const stranger = as("stranger", people.stranger.account);
    for (const [name, { id, path }] of [...theirs].slice(0, 40)) {
      const topics = `inbox,list/${name},record/${name}/${id}`;
      const heard = await listen(base, cookie, topics, () =>
        stranger.patch(`${path}/${id}`, { name: `n${id}`, subject: `s${id}` }),
      );
      streams++;
      if (heard.includes(String(id))) report.fail(`the stream told of ${name}: ${heard.slice(0, 300)}`);
    }
    report.say(`${streams} streams heard nothing of changes in another account`);
    const specialist = as("specialist");
    const [session] = sessions;
    const asked: [string, string, (id: number) => Promise<unknown>][] = [
      ["GET /requests/:id", "request", (id) => specialist.get(`/requests/${id}`)],
      ["GET /people/:id", "person", (id) => specialist.get(`/people/${id}`)],
      ["PATCH /requests/:id", "request", (id) => specialist.patch(`/requests/${id}`, { subject: "x" })],
      ["GET /requests/:id/notes", "request", (id) => specialist.get(`/requests/${id}/notes`)],
      [
        "POST presence",
        "request",
        (id) =>
          browse(session as never).post(`/accounts/${account}/presence`, { type: "request", id, doing: "viewing" }),
      ],
    ];
    for (const [name, type, ask] of asked) {
      const id = theirs.get(type)?.id as number;
      await compareTimes(ask, id, 50); // warms up
      const { foreign, none, distance, noise } = await compareTimes(ask, id, 1500);
      report.say(
        `${name}: a foreign record ${foreign.toFixed(3)} ms, none ${none.toFixed(3)} ms; ${distance.toFixed(1)} standard errors apart, equal things ${noise.toFixed(1)}`,
      );
      report.require(
        distance < Math.max(4, 2 * noise) || Math.abs(foreign - none) < 0.02 * none,
        `${name}: the time tells whether a record exists`,
      );
    }
    for (const line of new Set(server.errors)) report.fail(`logged: ${line.slice(0, 800)}`);
    report.require(server.isAlive(), "the server has ended");
  } finally {
    await stage.end();
  }
}
