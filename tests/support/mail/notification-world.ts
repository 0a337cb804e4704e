import { beforeEach } from "vitest";
import { requestHelpers } from "../records/requests.ts";
import { workflowHelpers } from "../records/workflows-and-projects.ts";
import { people } from "../seed.ts";
import { until } from "../waiting.ts";
import { world } from "../world.ts";
import { startMailServer } from "./mail-server.ts";

// A world with a mail server, to check who gets which email.

const nameByAddress = new Map<string, string>(
  Object.values(people)
    .filter(({ account }) => account.startsWith("widget"))
    .map(({ email }) => [email, email.split("@")[0] as string]),
);

export async function notificationWorld(more: Record<string, string> = {}) {
  const server = await startMailServer();
  const env = { SMTP_URL: server.url, MAIL_FROM: "desk@widget.example", NOTICES_PER_HOUR: "1000", ...more };
  const here = await world({ env });
  const { service, sql, clock } = here;
  await sql("UPDATE people SET locale = 'en-US'");

  const waiting = () =>
    sql(
      "SELECT 1 FROM mails WHERE state = 'waiting' UNION ALL SELECT 1 FROM notification_outbox WHERE due_at <= $1 UNION ALL SELECT 1 FROM received_mails WHERE state = 'waiting'",
      [clock.now()],
    );
  /** Waits until all due emails are delivered, by this function or by the service's own workers. */
  async function delivered() {
    const isDone = async () => {
      await service.worker.runDue();
      await service.notificationDispatcher.runDue();
      await service.mailWorker.runDue();
      return (await waiting()).length === 0;
    };
    await until(isDone, { every: 10 });
    return server.received;
  }
  /** the recipients' names, each with the subject without the record */
  const heard = async () =>
    (await delivered())
      .map(
        ({ to, subject }) => `${nameByAddress.get(to) ?? to}: ${subject.replace(/ – .*$/, "").replace(/ \d+:/, ":")}`,
      )
      .sort();
  /** the emails caused by this change alone */
  async function of(change: () => Promise<unknown>): Promise<string[]> {
    await delivered();
    server.received.length = 0;
    await change();
    return heard();
  }
  beforeEach(async () => {
    await delivered();
    server.received.length = 0;
  });
  return { here, server, delivered, heard, of };
}

export const [sam, rita, mia] = [3, 5, 9];

/** The same, with a team of Sam and Mia, its coordinator. */
export async function serviceDeskNotificationWorld() {
  const heard = await notificationWorld();
  const here = requestHelpers(heard.here);
  const desk = await here.team(sam, mia);
  await here.admin.patch(`/teams/${desk}`, { coordinator_id: mia });
  return { ...heard, ...here, kinds: workflowHelpers(here.admin), specialist: heard.here.as("specialist"), desk };
}
