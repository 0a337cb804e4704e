import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildRawRequest } from "../../tests/support/clients/raw-http.ts";
import { people, type Role, tokenFor } from "../../tests/support/seed.ts";
import { addRequests, agent, quantile, readMeanwhile } from "./flood.ts";
import type { Report } from "./report.ts";
import { prepareStage, readMemory, resetPeak, type Server } from "./stage.ts";

// Attacks on the memory: few bytes that make the server allocate a lot. Others keep reading by id. The limits are those of
// production, except that the hourly call and point quotas don't end an attack.

const attacker: Role = "provider";
const limits = { p95: 50, memory: 350 };
const pictureBytes = 890_000;
/** Documents differ, so that no cache answers them. */
const variants = 40;

type Attack = { name: string; requests: readonly Buffer[] };
type Header = readonly [string, string];

const repeat = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(" ");

function listAttacks(session: { cookie: string; csrf: string }): Attack[] {
  const own: Header[] = [
    ["Authorization", `Bearer ${tokenFor(attacker)}`],
    ["account", people[attacker].account],
    ["Content-Type", "application/json"],
  ];
  const signedIn: Header[] = [...own, ["Cookie", session.cookie], ["X-CSRF-Token", session.csrf]];
  const megabyte = Buffer.alloc(1_000_000, " ");
  const leaveUnfinished = (path: string) => {
    const head = buildRawRequest("POST", path, [
      ["Content-Type", "application/json"],
      ["Content-Length", "1048576"],
    ]);
    return [Buffer.concat([head, megabyte])];
  };
  const graphql = (write: (variant: number) => string) =>
    Array.from({ length: variants }, (_, variant) =>
      buildRawRequest("POST", "/graphql", own, JSON.stringify({ query: `{ ${write(variant)} }` })),
    );
  const types = "types { name description fields { name description } }";
  const ids = JSON.stringify(Array(5000).fill("c3Rld2FyZC9QZXJzb24vMQ"));
  const read = (paths: readonly string[]) =>
    buildRawRequest("POST", "/session-api/reads", signedIn, JSON.stringify({ paths }));
  const pipelined = Buffer.concat(Array<Buffer>(900).fill(buildRawRequest("GET", "/v1/me")));
  // biome-ignore format: a table keeps its columns
  return [
    { name: "anonymous: unfinished bodies, combined reads", requests: leaveUnfinished("/session-api/reads") },
    { name: "anonymous: unfinished bodies, session API",    requests: leaveUnfinished("/session-api/session") },
    { name: "anonymous: 900 pipelined requests",            requests: [pipelined] },
    { name: "signed in: introspection with aliases",        requests: graphql((variant) => repeat(40, (n) => `v${variant}_${n}: __schema { ${types} }`)) },
    { name: "signed in: introspection, 150 aliases",        requests: graphql((variant) => repeat(150, (n) => `v${variant}_${n}: __schema { types { name description fields { name } } }`)) },
    { name: "signed in: 450 aliases of a picture",          requests: graphql((variant) => `me { ${repeat(450, (n) => `v${variant}_${n}: pictureUri`)} }`) },
    { name: "signed in: 199 records with a picture",        requests: graphql((variant) => repeat(199, (n) => `v${variant}_${n}: me { pictureUri }`)) },
    { name: "signed in: 5,000 ids",                         requests: graphql((variant) => `v${variant}: nodes(ids: ${ids}) { id ... on Person { pictureUri } }`) },
    { name: "signed in: 30 OpenAPI documents",              requests: [read(Array<string>(30).fill("/v1/openapi"))] },
    { name: "signed in: 30 lists with pictures",            requests: [read(Array<string>(30).fill("/v1/people?fields=picture_uri&per_page=100"))] },
  ];
}

async function attack(server: Server, file: string, connections: number, seconds: number) {
  const program = join(import.meta.dirname, "flooder.ts");
  const args = [program, String(server.port), String(connections), String(seconds), "127.0.0.2", `@${file}`];
  resetPeak(server.pid);
  const running = promisify(execFile)(process.execPath, args, { maxBuffer: 1e7 });
  const { times, failures } = await readMeanwhile(server.port, running);
  const { statuses, reconnects } = JSON.parse((await running).stdout) as {
    statuses: Record<string, number>;
    reconnects: number;
  };
  return { times, failures, statuses, reconnects, peak: readMemory(server.pid).peak };
}

/** `count`: seconds of each attack. */
export async function runExhaust(count: number, _seed: number, report: Report): Promise<void> {
  const stage = await prepareStage();
  const folder = mkdtempSync(join(tmpdir(), "steward-exhaust-"));
  try {
    await addRequests(stage);
    const picture = `data:image/png;base64,${"A".repeat(pictureBytes)}`;
    await stage.sql.query("UPDATE people SET picture_uri = $1 WHERE account_id = $2", [
      picture,
      people[attacker].account,
    ]);
    const target = await stage.describe();
    const attacks = listAttacks(target.sessions[3] ?? { cookie: "", csrf: "" });
    report.say(
      "| Attack | connections | memory MB, highest | p95 ms: quiet | attacked | answers | refused or closed | load |",
    );
    report.say("|---|---|---|---|---|---|---|---|");
    const chosen = process.env.ATTACK ?? "";
    for (const { name, requests } of attacks.filter((each) => each.name.includes(chosen))) {
      const server = await stage.start({ RATE_LIMIT: "1000000", COST_LIMIT: "0" });
      const file = join(folder, "requests");
      writeFileSync(file, requests.map((each) => each.toString("base64")).join(","));
      const calm = await readMeanwhile(server.port, new Promise((next) => setTimeout(next, 2000)));
      for (const connections of [8, 50, 400]) {
        const { times, failures, statuses, reconnects, peak } = await attack(server, file, connections, count);
        const p95 = quantile(times, 0.95);
        const refused = Object.entries(statuses).reduce((sum, [code, n]) => sum + (Number(code) >= 400 ? n : 0), 0);
        const answers = Object.values(statuses).reduce((sum, n) => sum + n, 0);
        const figures = [peak, quantile(calm.times, 0.95).toFixed(1), p95.toFixed(1), answers, refused + reconnects];
        report.say(`| ${[name, connections, ...figures, (loadavg()[0] as number).toFixed(1)].join(" | ")} |`);
        const what = `${name}, ${connections} connections`;
        report.require(failures === 0, `${what}: ${failures} reads of others failed`);
        report.require(p95 < limits.p95, `${what}: p95 is ${p95.toFixed(1)} ms`);
        report.require(peak < limits.memory, `${what}: ${peak} MB`);
      }
      report.require(server.isAlive(), `${name}: the server has ended`);
      for (const line of new Set(server.errors)) report.fail(`logged: ${line.slice(0, 500)}`);
      server.child.kill("SIGKILL");
    }
  } finally {
    agent.destroy();
    rmSync(folder, { recursive: true, force: true });
    await stage.end();
  }
}
