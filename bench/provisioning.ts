import { Agent, request } from "node:http";
import { readDatabaseSeconds, readProcessorSeconds } from "./import.ts";

// How fast an identity provider can push users over SCIM: new ones, the same ones again without a change, and the time that the
// rules take to create people from them. Processor time is printed as well, because other programs on the machine affect only
// wall time.

const budgets = { created: 300, unchanged: 2000 };
const connections = 16;

type Server = { base: string; headers: Record<string, string>; pid: number };
type Call = { method: string; path: string; body?: unknown };

export async function measureProvisioning(server: Server, users: number, say: (line: string) => void): Promise<string> {
  const root = server.base.replace(/\/v1$/, "");
  const made = await fetch(`${server.base}/scim/tokens`, { method: "POST", headers: server.headers });
  const { token } = (await made.json()) as { token: string };
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = ({ method, path, body }: Call) => sendCall(agent, `${root}/scim/v2${path}`, token, method, body);
  const ids: string[] = [];
  const lines = ["| Provisioning | users | a second | budget | server ms | database ms |", "|---|---|---|---|---|---|"];
  const readUsed = () => [readProcessorSeconds(server.pid), readDatabaseSeconds()] as const;
  let used = readUsed();
  const note = (what: string, count: number, seconds: number, budget: number | "") => {
    const [before, now] = [used, readUsed()];
    used = now;
    const each = now.map((value, at) => (((value - (before[at] ?? 0)) * 1000) / count).toFixed(2));
    lines.push(`| ${what} | ${count} | ${Math.round(count / seconds)} | ${budget} | ${each.join(" | ")} |`);
    say(lines.at(-1) as string);
  };

  const begun = performance.now();
  const creating = await runInParallel(users, async (at) => {
    const { status, text } = await send({ method: "POST", path: "/Users", body: buildUser(at) });
    if (status !== 201) throw new Error(`${status} ${text}`);
    ids[at] = (JSON.parse(text) as { id: string }).id;
  });
  note("new users, POST", users, creating, budgets.created);
  await waitForRules(server);
  note(
    "people made of them by rules, from the first POST (processor time: the rest)",
    users,
    (performance.now() - begun) / 1000,
    "",
  );
  for (const [what, build] of [
    ["the same again, PUT", (at: number): Call => ({ method: "PUT", path: `/Users/${ids[at]}`, body: buildUser(at) })],
    [
      "the same again, PATCH",
      (at: number): Call => ({ method: "PATCH", path: `/Users/${ids[at]}`, body: buildPatch(at) }),
    ],
    ["looked up by userName", (at: number): Call => ({ method: "GET", path: buildLookUp(at) })],
  ] as const)
    note(
      what,
      users,
      await runInParallel(users, async (at) => {
        const { status, text } = await send(build(at));
        if (status !== 200) throw new Error(`${status} ${text}`);
      }),
      what.startsWith("the same") ? budgets.unchanged : "",
    );
  agent.destroy();
  return lines.join("\n");
}

const buildName = (at: number) => `user${at}@provisioned.example`;
const buildLookUp = (at: number) => `/Users?filter=${encodeURIComponent(`userName eq "${buildName(at)}"`)}`;
const buildUser = (at: number) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  userName: buildName(at),
  externalId: `ext-${at}`,
  displayName: `User ${at}`,
  name: { givenName: "User", familyName: String(at) },
  title: "Clerk",
  active: true,
  emails: [{ value: buildName(at), type: "work", primary: true }],
  "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { employeeNumber: `E${at}`, department: "Sales" },
});
const buildPatch = (at: number) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations: [
    { op: "Replace", path: "displayName", value: `User ${at}` },
    { op: "Replace", path: "active", value: "True" },
    { op: "Replace", path: 'emails[type eq "work"].value', value: buildName(at) },
  ],
});

/** Returns the seconds. */
async function runInParallel(count: number, work: (at: number) => Promise<void>): Promise<number> {
  const begun = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < count) await work(next++);
    }),
  );
  return (performance.now() - begun) / 1000;
}

/** Until every user has been processed. */
async function waitForRules({ base, headers }: Server): Promise<void> {
  for (;;) {
    const response = await fetch(`${base}/scim_users?sort=-id&per_page=100&fields=processed_at`, { headers });
    const rows = (await response.json()) as { processed_at: string | null }[];
    if (rows.every(({ processed_at }) => processed_at !== null)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const sendCall = (agent: Agent, url: string, token: string, method: string, body: unknown) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const length =
      text === undefined ? {} : { "Content-Type": "application/scim+json", "Content-Length": Buffer.byteLength(text) };
    const sent = request(
      url,
      { agent, method, headers: { Authorization: `Bearer ${token}`, ...length } },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
