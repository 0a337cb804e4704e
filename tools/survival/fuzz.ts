import { createClient } from "../../tests/support/clients/json-client.ts";
import { EntranceNoise } from "../../tests/support/hostile/entrances.ts";
import { createRecords } from "../../tests/support/hostile/isolation.ts";
import { NoiseRun, sendNoisyMails } from "../../tests/support/hostile/run-noise.ts";
import { tokenFor } from "../../tests/support/seed.ts";
import type { Report } from "./report.ts";
import { prepareStage, readMemory } from "./stage.ts";

// Noise over all entrances: no 5xx but an intended 503, no restart, no error in the log, and an event loop that is never
// blocked for longer than 100 ms.

const mailShare = 1 / 60;
const unlimited = { RATE_LIMIT: "0", RATE_BURST: "0", MAIL_PER_HOUR: "1000000" };

const buildClient = (port: number) =>
  createClient(`http://127.0.0.1:${port}/v1`, {
    Authorization: `Bearer ${tokenFor("administrator")}`,
    account: "widget-it",
  });

export async function runFuzz(count: number, seed: number, report: Report): Promise<void> {
  const stage = await prepareStage();
  try {
    const target = await stage.describe();
    const server = await stage.start(unlimited);
    await stage.sql.query(
      "INSERT INTO email_policies (account_id, settings, updated_at) VALUES ('widget-it', '{}', now()) ON CONFLICT DO NOTHING",
    );
    await createRecords(buildClient(server.port), target.types); // so that small numbers are ids of something
    await server.readLoop();
    const mails = Math.round(count * mailShare);
    const source = new EntranceNoise(seed, target);
    const run = new NoiseRun(source, server.port, count - mails);
    const started = Date.now();
    if (report.minutes > 0) setTimeout(() => run.stop(), report.minutes * 60_000).unref();
    const loop = { longestBusy: 0, longestWall: 0, over50: 0 };
    /** Looks often, while the requests that may have caused it are still known. */
    const look = async () => {
      const { longestBusy, longestWall, over50, moments } = await server.readLoop();
      loop.longestBusy = Math.max(loop.longestBusy, longestBusy);
      loop.longestWall = Math.max(loop.longestWall, longestWall);
      loop.over50 += over50;
      for (const { at, busy, wall, collecting } of moments) {
        const near = run.recent.filter((each) => each.at > at - wall - 500 && each.at <= at);
        const heads = near
          .slice(-12)
          .map(({ request }) => `${request.bytes.length} bytes: ${request.bytes.toString("utf8", 0, 120)}`);
        report.say(
          `the event loop was busy for ${Math.round(busy)} ms, ${Math.round(collecting)} of them collecting garbage, near ${heads.join(" | ").replace(/\s+/g, " ")}`,
        );
      }
    };
    let looks = 0;
    const timer = setInterval(() => {
      void look().catch(() => {});
      const { sent, complaints } = run.result;
      const found = [...complaints.keys()].join("; ") || "no";
      if (++looks % 10 === 0) report.say(`${sent} sent, ${found} complaints, ${readMemory(server.pid).now} MB`);
    }, 1500);
    const [result, codes] = await Promise.all([
      run.run(8),
      sendNoisyMails(new EntranceNoise(seed + 1, target), server.mailPort, mails, 4, () => run.isStopped),
    ]);
    clearInterval(timer);
    await look();
    report.say(
      `${result.sent} requests and ${mails} mails in ${Math.round((Date.now() - started) / 1000)} s, seed ${seed}`,
    );
    for (const [entrance, statuses] of [...result.byEntrance].sort())
      report.say(
        `  ${entrance}: ${[...statuses]
          .sort(([a], [b]) => a - b)
          .map(([status, times]) => `${status} × ${times}`)
          .join(", ")}`,
      );
    report.say(
      `  mails: ${[...codes]
        .sort()
        .map(([code, times]) => `${code} × ${times}`)
        .join(", ")}`,
    );
    const { now, peak } = readMemory(server.pid);
    report.say(
      `event loop: longest turn ${loop.longestBusy.toFixed(0)} ms of processor time (${loop.longestWall.toFixed(0)} ms by the clock), ${loop.over50} over 50 ms`,
    );
    report.say(`memory: ${now} MB, at its highest ${peak} MB`);
    for (const [what, { times, first }] of result.complaints)
      report.fail(`${what}, ${times} times, first by\n${first}`);
    for (const line of new Set(server.errors.map((each) => each.slice(0, 1500)))) report.fail(`logged: ${line}`);
    report.require(server.isAlive(), "the server has ended");
    report.require(loop.longestBusy <= 100, `the event loop was blocked for ${loop.longestBusy.toFixed(0)} ms`);
  } finally {
    await stage.end();
  }
}
