import { type ChildProcess, spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { account } from "./load-data.ts";

// W6: how many messages a second leave a backlog, and how long after a change its message arrives.

export type LatencyMeasurement = { p50: number; p95: number; p99: number; answer: number };
export type WebhookMeasurement = {
  perSecond: number;
  lost: number;
  rate: number;
  alone: LatencyMeasurement;
  besideOthers: LatencyMeasurement;
};

type ReceivedMessage = { id: number; at: number };
const backlog = 20_000;
const rate = 200;
const seconds = 8;
const percentile = (list: number[], part: number): number =>
  list.toSorted((one, other) => one - other)[Math.min(list.length - 1, Math.floor(list.length * part))] ?? 0;
const pause = (milliseconds: number) => new Promise((next) => setTimeout(next, milliseconds));

export async function measureWebhooks(
  base: string,
  databaseUrl: string,
  headers: Record<string, string>,
): Promise<WebhookMeasurement> {
  const children: ChildProcess[] = [];
  const receiverThat = async (manner: string): Promise<string> => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "receiver.ts"), manner], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const { value: port } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
    return `http://127.0.0.1:${port}/`;
  };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const receiver = await receiverThat("fast");
    const agent = new Agent({ keepAlive: true, maxSockets: 32 });
    const call = (method: string, path: string, body: unknown) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const sent = request(
          base + path,
          { method, agent, headers: { ...headers, "Content-Type": "application/json" } },
          (answer) => {
            let text = "";
            answer.on("data", (chunk) => {
              text += chunk;
            });
            answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
          },
        );
        sent.on("error", reject);
        sent.end(JSON.stringify(body));
      });
    const webhookTo = async (uri: string): Promise<number> => {
      const reply = await call("POST", "/webhooks", { event: "request.update", uri });
      if (reply.status !== 200) throw new Error(`the webhook was refused: ${reply.text}`);
      const { id } = JSON.parse(reply.text) as { id: number };
      for (let tries = 0; ; tries++) {
        const { rows } = await client.query("SELECT verified FROM webhooks WHERE id = $1", [id]);
        if (rows[0]?.verified) return id;
        if (tries > 100) throw new Error("the webhook was not verified");
        await pause(50);
      }
    };
    const id = await webhookTo(receiver);
    const seen = async () => (await (await fetch(receiver)).json()) as ReceivedMessage[];
    const gather = async (count: number) => {
      const list: ReceivedMessage[] = [];
      for (let tries = 0; list.length < count && tries < 300; tries++) {
        list.push(...(await seen()));
        if (list.length < count) await pause(100);
      }
      return list;
    };

    // As fast as it goes: messages about different records, written as changes write them.
    const write = (from: number, count: number) =>
      client.query(
        `WITH told AS (INSERT INTO events (account_id, event, record_type, record_id, person_id, payload, created_at)
           SELECT $1, 'request.update', 'request', n, 1, jsonb_build_object('audit_line_id', n, 'status', 'assigned', 'team_id', 1 + n % 50, 'member_id', 1 + n % 500), now() FROM generate_series($3::integer, $4::integer) n RETURNING id, record_id)
         INSERT INTO webhook_deliveries (account_id, webhook_id, kind, event, event_id, record_id, next_try_at, created_at)
         SELECT $1, $2, 'event', 'request.update', id, record_id, now(), now() FROM told`,
        [account, id, from, from + count - 1],
      );
    await write(1, 2000); // warms up
    await gather(2000);
    await write(2001, backlog);
    const many = (await gather(backlog)).map(({ at }) => at).sort((a, b) => a - b);
    const took = ((many.at(-1) ?? 0) - (many[0] ?? 0)) / 1000;

    // At a steady pace: from the answer to the change, which was committed just before, to its message.
    let lost = backlog - many.length;
    const pace = async (first: number): Promise<LatencyMeasurement> => {
      const answered = new Map<number, number>();
      const answers: number[] = [];
      const calls: Promise<unknown>[] = [];
      const begun = performance.now();
      const change = async (record: number, value: string) => {
        const asked = performance.now();
        await call("PATCH", `/requests/${record}`, { subject: value });
        answers.push(performance.now() - asked);
        answered.set(record, performance.timeOrigin + performance.now());
      };
      for (let n = 0; n < rate * seconds; n++) {
        const wait = begun + (n * 1000) / rate - performance.now();
        if (wait > 1) await pause(wait);
        calls.push(change(first + n, `Paced ${n}`));
      }
      await Promise.all(calls);
      const delays = (await gather(rate * seconds)).map(({ id: record, at }) =>
        Math.max(0, at - (answered.get(record) ?? at)),
      );
      lost += rate * seconds - delays.length;
      return {
        p50: percentile(delays, 0.5),
        p95: percentile(delays, 0.95),
        p99: percentile(delays, 0.99),
        answer: percentile(answers, 0.95),
      };
    };
    const alone = await pace(30_000);
    const others = [await webhookTo(await receiverThat("slow")), await webhookTo(await receiverThat("hanging"))];
    const besideOthers = await pace(30_000 + rate * seconds);
    for (const webhook of [id, ...others]) await call("PATCH", `/webhooks/${webhook}`, { disabled: true });
    return { perSecond: many.length / took, lost, rate, alone, besideOthers };
  } finally {
    for (const child of children) child.kill();
    await client.end();
  }
}
