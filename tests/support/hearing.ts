import { beforeEach } from "vitest";
import { mailServer } from "./mail-server.ts";
import { people } from "./seed.ts";
import { world } from "./world.ts";

// A world with a mail server at its end: who heard what by mail.

const nameOf = new Map<string, string>(
  Object.values(people)
    .filter(({ account }) => account.startsWith("widget"))
    .map(({ email }) => [email, email.split("@")[0] as string]),
);

export async function hearing() {
  const server = await mailServer();
  const env = { SMTP_URL: server.url, MAIL_FROM: "desk@widget.example", NOTICES_PER_HOUR: "1000" };
  const here = await world({ env });
  const { service, sql } = here;
  await sql("UPDATE people SET locale = 'en-US'");

  /** Everything that is to be told has been told. */
  async function delivered() {
    await service.worker.runDue();
    await service.teller.runDue();
    await service.postman.runDue();
    return server.received;
  }
  /** who got what: the name, and the subject without the record */
  const heard = async () =>
    (await delivered())
      .map(({ to, subject }) => `${nameOf.get(to) ?? to}: ${subject.replace(/ – .*$/, "").replace(/ \d+:/, ":")}`)
      .sort();
  /** what is told of the change alone */
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
