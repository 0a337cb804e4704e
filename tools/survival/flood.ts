import { execFile } from "node:child_process";
import { Agent, request } from "node:http";
import { loadavg } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { readProcessorTime } from "../../bench/processor-time.ts";
import { buildRawRequest } from "../../tests/support/clients/raw-http.ts";
import { Noise } from "../../tests/support/hostile/noise.ts";
import type { Role } from "../../tests/support/seed.ts";
import { people, tokenFor } from "../../tests/support/seed.ts";
import type { Report } from "./report.ts";
import { prepareStage, readMemory, type Server, type Stage } from "./stage.ts";

// Floods of every entry point, anonymous and signed in, with the limits of production: others keep reading by id.

const victims = ["administrator", "specialist", "auditor", "manager"] as const;
const attacker: Role = "provider";
const limits = { p95: 50, memory: 400 };
const rounds = 3;

type Scenario = { name: string; requests: Buffer[]; isSmtp?: true };
type Header = readonly [string, string];

const json: Header = ["Content-Type", "application/json"];
const form: Header = ["Content-Type", "application/x-www-form-urlencoded"];
const bearer = (token: string): Header => ["Authorization", `Bearer ${token}`];

function listScenarios(noise: Noise, session: { cookie: string; csrf: string }): Scenario[] {
  const own: Header[] = [bearer(tokenFor(attacker)), ["account", people[attacker].account]];
  const signedIn: Header[] = [["Cookie", session.cookie]];
  const get = (path: string, headers: readonly Header[] = []) => buildRawRequest("GET", path, headers);
  const post = (path: string, headers: readonly Header[], body: string) => buildRawRequest("POST", path, headers, body);
  const randomTokens = Array.from({ length: 50 }, () =>
    get("/v1/requests/1", [
      bearer(Array.from({ length: 112 }, () => noise.pick([..."abcdefghij0123456789"])).join("")),
    ]),
  );
  const members = `{${Array.from({ length: 900 }, (_, n) => `"m${n}":1`).join(",")}}`;
  const account = people[attacker].account;
  // biome-ignore format: a table keeps its columns
  return [
    { name: "anonymous: no token",               requests: [get("/v1/requests/1")] },
    { name: "anonymous: unknown tokens",         requests: randomTokens },
    { name: "anonymous: token endpoint",         requests: [post("/oauth/token", [form], "grant_type=client_credentials&client_id=x&client_secret=y")] },
    { name: "anonymous: sign-in page",           requests: [get("/sign_in")] },
    { name: "anonymous: wrong passwords",        requests: [post("/sign_in", [form], "email=ada@widget.example&password=x&csrf=x")] },
    { name: "anonymous: forged session",         requests: [get("/session-api/me", [["Cookie", "steward_session=forged"]])] },
    { name: "anonymous: OpenAPI document",       requests: [get("/v1/openapi.json")] },
    { name: "anonymous: web pages and files",    requests: [get("/"), get("/docs/api"), get("/web/none.js")] },
    { name: "anonymous: unknown paths",          requests: [get("/graphql"), get("/v1/none"), get("/.env")] },
    { name: "anonymous: no HTTP",                requests: [Buffer.from("NONSENSE\r\n\r\n")] },
    { name: "anonymous: large body",             requests: [post("/oauth/token", [json], members)] },
    { name: "anonymous: mail",                   requests: [Buffer.from("EHLO x\r\n"), Buffer.from("MAIL FROM:<a@b.example>\r\n"), Buffer.from("RSET\r\n")], isSmtp: true },
    { name: "signed in: read",                   requests: [get("/v1/requests/1", own)] },
    { name: "signed in: lists",                  requests: [get("/v1/requests?per_page=100", own), get("/v1/people?per_page=100", own)] },
    { name: "signed in: search",                 requests: [get("/v1/search?q=printer", own)] },
    { name: "signed in: create",                 requests: [post("/v1/requests", [...own, json], '{"subject":"Flood","category":"incident","impact":"low"}')] },
    { name: "signed in: large body",             requests: [post("/v1/requests", [...own, json], members)] },
    { name: "signed in: session API",            requests: [get("/session-api/me", signedIn), get("/session-api/sessions", signedIn)] },
    { name: "signed in: live stream",            requests: [get(`/session-api/accounts/${account}/stream?topics=inbox`, signedIn)] },
  ];
}

export const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Milliseconds and status of one read by id. */
function read(port: number, role: Role): Promise<{ took: number; status: number }> {
  return new Promise((resolve) => {
    const start = performance.now();
    const headers = { Authorization: `Bearer ${tokenFor(role)}`, account: "widget-it" };
    const sent = request({ agent, host: "127.0.0.1", port, path: "/v1/requests/1", headers }, (answer) => {
      answer.resume().on("end", () => resolve({ took: performance.now() - start, status: answer.statusCode ?? 0 }));
    });
    sent.on("error", () => resolve({ took: performance.now() - start, status: 0 }));
    sent.end();
  });
}

export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Reads by id of several people, each within the rate limit, during another load. */
export async function readMeanwhile(
  port: number,
  until: Promise<unknown>,
): Promise<{ times: number[]; failures: number }> {
  let isOver = false;
  void until.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  let failures = 0;
  while (!isOver) {
    for (const role of victims) {
      const { took, status } = await read(port, role);
      if (status === 200) times.push(took);
      else failures++;
      await new Promise((next) => setTimeout(next, 25));
    }
  }
  return { times: times.sort((a, b) => a - b), failures };
}

async function flood(server: Server, scenario: Scenario, connections: number, seconds: number) {
  const encoded = scenario.requests.map((each) => each.toString("base64")).join(",");
  const port = scenario.isSmtp ? server.mailPort : server.port;
  const program = join(import.meta.dirname, "flooder.ts");
  const args = [program, String(port), String(connections), String(seconds), "127.0.0.2", encoded];
  const before = readProcessorTime(server.pid);
  const flooding = promisify(execFile)(process.execPath, args, { maxBuffer: 1e7 });
  const { times, failures } = await readMeanwhile(server.port, flooding);
  const spent = readProcessorTime(server.pid) - before;
  const { statuses } = JSON.parse((await flooding).stdout) as { statuses: Record<string, number> };
  const calls = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return { times, failures, statuses, calls, perCall: spent / Math.max(1, calls) };
}

type FloodPlan = {
  server: Server;
  scenario: Scenario;
  connections: number;
  seconds: number;
  /** how long reads took right before, without a flood */
  calm: readonly number[];
  report: Report;
};

/** A busy machine makes single rounds slow: the best one shows the capacity of the server. */
async function floodInRounds({ server, scenario, connections, seconds, calm, report }: FloodPlan): Promise<void> {
  const results: Awaited<ReturnType<typeof flood>>[] = [];
  for (let round = 0; round < rounds; round++) {
    results.push(await flood(server, scenario, connections, seconds));
    await new Promise((next) => setTimeout(next, 300));
  }
  const p95s = results.map(({ times }) => quantile(times, 0.95)).sort((a, b) => a - b);
  const [best = 0] = p95s;
  const median = quantile(p95s, 0.5);
  const mean = (pick: (result: (typeof results)[number]) => number) =>
    Math.round(results.reduce((sum, result) => sum + pick(result), 0) / results.length / seconds);
  const { now: memory } = readMemory(server.pid);
  const figures = [quantile(calm, 0.95), best, median].map((each) => each.toFixed(1));
  const load = (loadavg()[0] as number).toFixed(1);
  const spent = [mean(({ calls }) => calls), mean(({ calls, perCall }) => calls * perCall)];
  report.say(`| ${[scenario.name, connections, ...spent, ...figures, memory, load].join(" | ")} |`);
  const failures = results.reduce((sum, result) => sum + result.failures, 0);
  const name = `${scenario.name}, ${connections} connections`;
  report.require(failures === 0, `${name}: ${failures} reads of others failed`);
  report.require(best < limits.p95, `${name}: p95 is ${best.toFixed(1)} ms at best`);
  report.require(memory < limits.memory, `${name}: ${memory} MB`);
}

export async function addRequests(stage: Stage): Promise<void> {
  await stage.sql.query(
    `INSERT INTO requests (id, account_id, subject, category, status, impact, requested_by_id, requested_for_id, created_by_id, created_at, updated_at)
SELECT n, 'widget-it', 'Printer ' || n, 'incident', 'assigned', 'low', 3, 3, 3, now(), now() FROM generate_series(1, 2000) n`,
  );
}

/** `count`: seconds of each flood. */
export async function runFlood(count: number, seed: number, report: Report): Promise<void> {
  const stage = await prepareStage();
  try {
    await addRequests(stage).catch((error: Error) => report.say(`requests could not be loaded: ${error.message}`));
    const target = await stage.describe();
    const server = await stage.start();
    const quiet = await readMeanwhile(server.port, new Promise((next) => setTimeout(next, 3000)));
    report.require(quiet.failures === 0, `${quiet.failures} reads failed without a flood`);
    report.say(
      `without a flood: p50 ${quantile(quiet.times, 0.5).toFixed(1)}, p95 ${quantile(quiet.times, 0.95).toFixed(1)} ms`,
    );
    const session = target.sessions[3] ?? { cookie: "", csrf: "" };
    const scenarios = listScenarios(new Noise(seed), session);
    report.say(
      "| Flood | connections | answers a second | processor ms a second | p95 ms: quiet | best | median | memory MB | load |",
    );
    report.say("|---|---|---|---|---|---|---|---|---|");
    for (const scenario of scenarios) {
      const calm = await readMeanwhile(server.port, new Promise((next) => setTimeout(next, 1500)));
      for (const connections of [8, 50, 200])
        await floodInRounds({ server, scenario, connections, seconds: count, calm: calm.times, report });
    }
    report.say(`memory at its highest: ${readMemory(server.pid).peak} MB`);
    report.require(server.isAlive(), "the server has ended");
    for (const line of new Set(server.errors)) report.fail(`logged: ${line.slice(0, 500)}`);
  } finally {
    agent.destroy();
    await stage.end();
  }
}
