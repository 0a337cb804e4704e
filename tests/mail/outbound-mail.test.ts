import { beforeEach, describe, expect, test, vi } from "vitest";
import { startMailServer } from "../support/mail/mail-server.ts";
import { serverProcesses } from "../support/processes/server-processes.ts";
import { requestHelpers } from "../support/records/requests.ts";
import { tokenFor } from "../support/seed.ts";
import { longestWait } from "../support/waiting.ts";
import { createClient, world } from "../support/world.ts";

// How notifications are sent: the form of an email, opting out, rate limiting and error handling.

const server = await startMailServer();
const here = await world({ env: { SMTP_URL: server.url, MAIL_FROM: "desk@widget.example", NOTICES_PER_HOUR: "3" } });
const { as, sql, clock, service, url } = here;
const { admin, request } = requestHelpers(here);
const directory = as("directoryAdmin");
const [sam, rita] = [3, 5];

/** Waits until each email was tried once, here or by the background workers, and returns those received. */
const listEmails = async () => {
  const isTried = async () => {
    await service.worker.runDue();
    await service.notificationDispatcher.runDue();
    await service.mailWorker.runDue();
    return (await sql("SELECT 1 FROM mails WHERE state = 'waiting' AND tries = 0")).length === 0;
  };
  await vi.waitUntil(isTried, { timeout: longestWait, interval: 10 });
  return server.received;
};
const requestByRita = (members: Record<string, unknown> = {}) => request({ requested_by_id: rita, ...members });

let open = () => {};
/** The mail server accepts no emails until `open` is called. */
const close = () => {
  server.acceptAfter = new Promise((resolve) => {
    open = resolve;
  });
};

beforeEach(async () => {
  open();
  await listEmails();
  await sql("DELETE FROM mails");
  await sql("DELETE FROM jobs WHERE kind LIKE 'mail%'");
  await sql(
    "UPDATE people SET send_email_notifications = 'always', locale = 'en-US', disabled = false WHERE id IN (3, 5)",
  );
  Object.assign(server, { received: [], refusal: () => null, acceptAfter: Promise.resolve() });
});

describe("an email", () => {
  test("has the headers that replies, threads and mail programs use", async () => {
    const { id } = await requestByRita({ subject: "A mouse" });
    await admin.post(`/requests/${id}/notes`, { text: "Soon" });
    const bySubject = (await listEmails()).toSorted((one, other) => (one.subject > other.subject ? -1 : 1));
    const [first, second] = bySubject;
    const header = (name: string, mail = first) => mail?.headers.get(name);
    expect(first?.subject).toBe(`Request ${id}: registered – A mouse`);
    expect(header("message-id")).toMatch(new RegExp(`^<request\\.${id}\\.widget-it\\.[0-9a-f]{16}@mail\\.steward>$`));
    expect(header("message-id", second)).not.toBe(header("message-id"));
    for (const mail of [first, second])
      for (const name of ["in-reply-to", "references"])
        expect(header(name, mail)).toBe(`<request.${id}.widget-it.thread@mail.steward>`);
    expect(header("reply-to")).toBe("widget-it@mail.steward");
    expect(header("from")).toBe("Widget IT <desk@widget.example>");
    expect(header("auto-submitted")).toBe("auto-generated");
    expect(header("x-auto-response-suppress")).toContain("OOF");
    expect(header("list-unsubscribe")).toMatch(/^<http:\/\/127\.0\.0\.1:\d+\/unsubscribe\/5\/[0-9a-f]{40}>$/);
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    expect(first?.text).toContain(`${url}/a/widget-it/requests/${id}`);
    expect(first?.html).toContain(`<a href="${url}/a/widget-it/requests/${id}">`);
  });

  test("is in the person's language, with times in their time zone", async () => {
    const desired_completion_at = "2030-07-01T10:00:00Z";
    // biome-ignore format: a table keeps its columns
    const languages = [
      ["nl",    "Aanvraag", "moet uiterlijk 1 juli 2030 om 12:00 zijn afgerond"],
      ["de",    "Anfrage",  "soll bis 1. Juli 2030 um 12:00 abgeschlossen sein"],
      ["fr-CA", "Demande",  "doit être terminée avant"],
      ["es",    "Solicitud", "debe completarse antes del 1 de julio de 2030"],
      ["ja",    "Request",  "should be completed by"],
    ];
    for (const [locale, name, text] of languages) {
      await sql("DELETE FROM mails");
      server.received.length = 0;
      await sql("UPDATE people SET locale = $1 WHERE id = 5", [locale]);
      await requestByRita({ desired_completion_at });
      const [mail] = await listEmails();
      expect(mail?.subject, locale).toMatch(new RegExp(`^${name} \\d+: `));
      expect(mail?.text, locale).toContain(text);
      expect(mail?.html).toContain(`<html lang="${locale === "ja" ? "en" : locale?.slice(0, 2)}">`);
    }
  });

  test("escapes text by people, so that it adds no tag, no header and no other link", async () => {
    const { id } = await requestByRita({ subject: `<script>alert(1)</script>\r\nBcc: eve@evil.example <b>&` });
    const [mail] = await listEmails();
    expect(mail?.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(mail?.html).not.toContain("<script");
    expect(mail?.headers.has("bcc")).toBe(false);
    await admin.post(`/requests/${id}/notes`, {
      text: "<img src=x onerror=alert(1)> [x](javascript:alert(1)) ![pixel](https://evil.example/who?rita) **bold**",
    });
    const note = (await listEmails()).at(-1);
    expect(note?.html).not.toMatch(/<img|href="javascript|who\?rita/);
    expect(note?.html).toContain("<strong>bold</strong>");
    expect(note?.to).toBe("rita@widget.example");
  });
});

describe("names", () => {
  test("of people and accounts add no header, no line and no tag", async () => {
    await sql("UPDATE accounts SET name = $1 WHERE id = 'widget-it'", [
      'Desk" <a@evil.example>\r\nBcc: b@evil.example <i>',
    ]);
    await sql("UPDATE people SET name = $1 WHERE id = 1", ["Ada {account}\r\n-- \nhttps://evil.example <i>"]);
    await request({ team_id: 1, member_id: sam, subject: "Named" });
    const mail = (await listEmails()).find(({ to }) => to === "sam@widget.example");
    await sql("UPDATE accounts SET name = 'Widget IT' WHERE id = 'widget-it'");
    await sql("UPDATE people SET name = 'Ada Admin' WHERE id = 1");
    expect(mail?.headers.has("bcc")).toBe(false);
    expect(mail?.raw).not.toMatch(/=0D|=0A/);
    expect(mail?.text).toContain("Ada {account} -- https://evil.example <i> assigned ");
    expect(mail?.text).toContain('you work with Desk" <a@evil.example> Bcc: b@evil.example <i>.\n');
    expect(mail?.html).not.toContain("<i>");
  });

  test("that are invalid email addresses are rejected, and no other address gets the email", async () => {
    for (const address of [
      "a@b.example, c@d.example",
      "a@b.example\r\nBcc: c@d.example",
      "a@b.example> <c@d.example",
    ]) {
      expect((await directory.patch(`/people/${rita}`, { primary_email: address })).status, address).toBe(422);
      await sql("UPDATE people SET primary_email = $1 WHERE id = 5", [address]);
      await requestByRita();
      await listEmails();
      expect((await sql("SELECT state FROM mails ORDER BY id DESC LIMIT 1"))[0]).toEqual({ state: "failed" });
    }
    await clock.pass(3601);
    await directory.patch(`/people/${rita}`, { primary_email: "rita.o'brien@widget.example" });
    await requestByRita();
    expect((await listEmails()).map(({ to }) => to)).toEqual(["rita.o'brien@widget.example"]);
    await directory.patch(`/people/${rita}`, { primary_email: "rita@widget.example" });
  });
});

describe("people without notifications", () => {
  test('people who chose "never", or "when offline" while online', async () => {
    await directory.patch(`/people/${rita}`, { send_email_notifications: "never" });
    await requestByRita();
    expect(await listEmails()).toEqual([]);
    await directory.patch(`/people/${rita}`, { send_email_notifications: "when_offline" });
    await sql(
      "INSERT INTO sessions (account_id, person_id, secret_hash, created_at, last_seen_at, idle_expires_at, expires_at, user_agent, address) VALUES ('widget', 5, 'x', $1, $1, $1, $1, '', '')",
      [clock.now()],
    );
    await requestByRita();
    expect(await listEmails()).toEqual([]);
    await clock.pass(660);
    await requestByRita();
    expect(await listEmails()).toHaveLength(1);
  });

  test("disabled people, and people without an address", async () => {
    await sql("UPDATE people SET disabled = true WHERE id = 5");
    await sql(
      "INSERT INTO notification_outbox (account_id, notifications, due_at, created_at) SELECT 'widget-it', $1, $2, $2",
      [
        JSON.stringify([
          {
            row: "request/completed",
            type: "request",
            id: (await request()).id,
            account: "widget-it",
            by: null,
            at: { requested_by: rita },
          },
        ]),
        clock.now(),
      ],
    );
    expect(await listEmails()).toEqual([]);
    expect(await sql("SELECT 1 FROM notification_outbox")).toEqual([]);
  });

  test("NO2: people who may not see the record", async () => {
    const { id } = await request();
    await sql(
      "INSERT INTO notification_outbox (account_id, notifications, due_at, created_at) SELECT 'widget-it', $1, $2, $2",
      [
        JSON.stringify(
          [rita, 7].map((person) => ({
            row: "request/completed",
            type: "request",
            id,
            account: "widget-it",
            by: null,
            at: { requested_by: person },
          })),
        ),
        clock.now(),
      ],
    );
    expect(await listEmails()).toEqual([]);
  });

  test("callers and transactions with suppressMail", async () => {
    const { engine } = service;
    const { loadServiceCaller: theService } = await import("../../server/engine/service-caller.ts");
    const { createUnchecked: createWithin } = await import("../../server/engine/change.ts");
    const values = { subject: "Imported", category: "other", requested_by: rita, created_by: 1 };
    const type = engine.types.get("request");
    await engine.database.transaction(async (tx) => {
      const by = { ...(await theService(tx, "widget-it", clock.now())), suppressMail: true as const };
      await createWithin({ engine, tx, by, type }, values);
    });
    await engine.database.transaction(async (tx) => {
      await createWithin(
        { engine, tx: { ...tx, suppressMail: true }, by: await theService(tx, "widget-it", clock.now()), type },
        values,
      );
    });
    expect(await sql("SELECT 1 FROM notification_outbox")).toEqual([]);
  });
});

describe("unsubscribing", () => {
  test("opening the link changes nothing; one click ends the emails, and an audit line names the person", async () => {
    await requestByRita();
    const [mail] = await listEmails();
    const link = mail?.headers.get("list-unsubscribe")?.slice(1, -1) as string;
    expect(mail?.text).toContain(link);
    const page = await fetch(link);
    expect(await page.text()).toContain("Stop sending emails to rita@widget.example?");
    const loadPreference = async () => (await admin.get(`/people/${rita}`)).body.send_email_notifications;
    expect(await loadPreference()).toBe("always");
    const oneClick = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
    expect((await fetch(link, oneClick)).status).toBe(200);
    expect(await loadPreference()).toBe("never");
    const [line] = (await directory.get(`/people/${rita}/audit`)).body;
    expect(line).toMatchObject({
      created_by: { id: rita },
      changes: { send_email_notifications: ["always", "never"] },
    });
    await requestByRita();
    expect(await listEmails()).toHaveLength(1);
    const form = new FormData();
    form.set("List-Unsubscribe", "One-Click");
    expect((await fetch(link, { method: "POST", body: form })).status).toBe(200);
  });

  test("a link for another person, a broken one or one for a former address does nothing", async () => {
    await requestByRita();
    const link = (await listEmails())[0]?.headers.get("list-unsubscribe")?.slice(1, -1) as string;
    const others = [
      link.replace("/5/", "/3/"),
      `${link.slice(0, -1)}g`,
      link.slice(0, -2),
      link.replace("/5/", "/x/"),
      link.replace("/5/", "/99999999999/"),
    ];
    for (const other of others) expect((await fetch(other, { method: "POST" })).status, other).toBe(404);
    await sql("UPDATE people SET primary_email = 'rita2@widget.example' WHERE id = 5");
    expect((await fetch(link, { method: "POST" })).status).toBe(404);
    await sql("UPDATE people SET primary_email = 'rita@widget.example' WHERE id = 5");
    expect((await admin.get(`/people/${rita}`)).body.send_email_notifications).toBe("always");
  });
});

describe("too many notifications", () => {
  test("notifications over the hourly limit are sent in one email, and none is lost", async () => {
    for (let n = 1; n <= 8; n++) await requestByRita({ subject: `Thing ${n}` });
    expect(await listEmails()).toHaveLength(3);
    await clock.pass(1800);
    await requestByRita({ subject: "Thing 9" });
    expect(await listEmails()).toHaveLength(3);
    await clock.pass(1800);
    const mails = await listEmails();
    expect(mails).toHaveLength(4);
    expect(mails[3]?.subject).toBe("6 more notifications");
    for (let n = 4; n <= 9; n++) expect(mails[3]?.text).toContain(`Thing ${n}`);
    expect(mails[3]?.html).toContain("Thing 9");
    const states = await sql("SELECT state, count(*)::integer AS n FROM mails GROUP BY state ORDER BY state");
    expect(states).toEqual([
      { state: "digested", n: 6 },
      { state: "sent", n: 4 },
    ]);
    expect(await sql("SELECT 1 FROM mails WHERE state = 'digested' AND digest_id IS NULL")).toEqual([]);
    await clock.pass(3600);
    await requestByRita({ subject: "Thing 10" });
    expect((await listEmails()).at(-1)?.subject).toContain("Thing 10");
  });

  test("each account sends its own digest, so that administrators see only their account's emails", async () => {
    await sql(
      "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ('widget-hr', 2, 'specialist', now()), ('widget-hr', 2, 'account_administrator', now())",
    );
    const hr = as("directoryAdmin", { account: "widget-hr" });
    for (let n = 1; n <= 3; n++) await requestByRita({ subject: `First ${n}` });
    await requestByRita({ subject: "Printer" });
    const reply = await hr.post("/requests", { category: "other", subject: "Salary", requested_by_id: rita });
    expect(reply.status, reply.text).toBe(201);
    await requestByRita({ subject: "Screen" });
    expect(await listEmails()).toHaveLength(3);
    await clock.pass(3600);
    const digests = (await listEmails()).slice(3).map(({ headers, subject, text }) => ({
      from: headers.get("from"),
      subject,
      about: ["Printer", "Salary", "Screen"].filter((word) => text.includes(word)),
    }));
    expect(digests.sort((one, other) => (String(one.from) < String(other.from) ? -1 : 1))).toEqual([
      // A single notification needs no digest.
      {
        from: "Widget HR <desk@widget.example>",
        subject: `Request ${reply.body.id}: registered – Salary`,
        about: ["Salary"],
      },
      { from: "Widget IT <desk@widget.example>", subject: "2 more notifications", about: ["Printer", "Screen"] },
    ]);
    expect(
      await sql("SELECT account_id, state, count(*)::integer AS n FROM mails GROUP BY 1, 2 ORDER BY 1, 2"),
    ).toEqual([
      { account_id: "widget-hr", state: "sent", n: 1 },
      { account_id: "widget-it", state: "digested", n: 2 },
      { account_id: "widget-it", state: "sent", n: 4 },
    ]);
  });

  test("a long note notifies a thousand watchers, and a note that mentions everyone notifies a hundred", async () => {
    const count = 1000;
    const specialists = "FROM generate_series(1, $1::integer) AS n";
    await sql(
      `INSERT INTO people (id, account_id, name, primary_email, organization_id, locale, time_zone, created_at, updated_at)
SELECT 5000 + n, 'widget-it', 'Person ' || n, 'person' || n || '@widget.example', 2, 'en-US', 'Amsterdam', now(), now() ${specialists}`,
      [count],
    );
    await sql(
      `INSERT INTO permissions (account_id, person_id, role, created_at) SELECT 'widget-it', 5000 + n, 'specialist', now() ${specialists}`,
      [count],
    );
    const [watched, mentioning] = [await request(), await request()];
    await sql(
      `INSERT INTO watches (account_id, request_id, person_id, created_at, updated_at) SELECT 'widget-it', $2, 5000 + n, now(), now() ${specialists}`,
      [count, watched.id],
    );
    await service.mailWorker.stop();
    const mails = (id: number) =>
      sql<{ n: number; longest: number }>(
        "SELECT count(*)::integer AS n, max(length(body) + length(html)) AS longest FROM mails WHERE record_id = $1",
        [id],
      );
    expect((await admin.post(`${watched.path}/notes`, { text: "**word** ".repeat(7000) })).status).toBe(201);
    await service.notificationDispatcher.runDue();
    const [toWatchers] = await mails(watched.id);
    expect(toWatchers?.n).toBe(count);
    expect(toWatchers?.longest).toBeLessThan(60_000);
    const mentions = Array.from({ length: count }, (_, n) => `<@${5001 + n}|x>`).join(" ");
    expect((await admin.post(`${mentioning.path}/notes`, { text: mentions })).status).toBe(201);
    await service.notificationDispatcher.runDue();
    expect(await mails(mentioning.id)).toMatchObject([{ n: 100 }]);
    await sql("DELETE FROM jobs WHERE kind LIKE 'mail%'");
    await sql("DELETE FROM mails");
    await sql("DELETE FROM watches");
    service.mailWorker.start();
  });

  test("the limit is per person", async () => {
    for (let n = 1; n <= 3; n++) await requestByRita();
    await request({ requested_by_id: sam });
    expect((await listEmails()).map(({ to }) => to.split("@")[0]).sort()).toEqual(["rita", "rita", "rita", "sam"]);
  });
});

describe("errors", () => {
  const loadStates = () => sql("SELECT state, tries, error FROM mails ORDER BY id");

  test("a permanent rejection isn't retried, and administrators see it", async () => {
    server.refusal = () => ({ code: 550, text: "No such user" });
    const { id } = await requestByRita();
    await listEmails();
    expect(await loadStates()).toEqual([{ state: "failed", tries: 1, error: expect.stringContaining("No such user") }]);
    await clock.pass(7200);
    expect(await loadStates()).toMatchObject([{ tries: 1 }]);
    expect((await as("administrator").get("/mails")).body).toMatchObject([
      {
        state: "failed",
        person: { id: rita, name: "Rita Requester" },
        record: { type: "request", id },
        error: expect.stringContaining("550"),
      },
    ]);
  });

  test("ML10: administrators retry a failed email, once for concurrent calls", async () => {
    const ada = as("administrator");
    server.refusal = () => ({ code: 550, text: "No such user" });
    await requestByRita();
    await listEmails();
    const [{ id }] = (await ada.get("/mails?state=failed")).body;
    const path = `/mails/${id}/send_again`;
    for (const role of ["stranger", "specialist"] as const)
      expect((await as(role).post(path)).status, role).toBe(role === "stranger" ? 404 : 403);
    for (const wrong of ["0", "x", "99999999999", "2147483647"])
      expect((await ada.post(`/mails/${wrong}/send_again`)).status, wrong).toBe(404);
    expect(await loadStates()).toMatchObject([{ state: "failed", tries: 1 }]);

    // After another rejection it can be retried again.
    expect((await ada.post(path)).status).toBe(204);
    await vi.waitUntil(async () => (await loadStates())[0]?.tries === 2, { timeout: longestWait, interval: 10 });
    expect(await loadStates()).toEqual([{ state: "failed", tries: 2, error: expect.stringContaining("No such user") }]);
    server.refusal = () => null;
    close();
    const answers = await Promise.all([1, 2, 3, 4].map(() => ada.post(path)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toEqual({
      message: "Only failed emails can be resent; this email is waiting",
    });
    open();
    await vi.waitUntil(async () => (await loadStates())[0]?.state === "sent", { timeout: longestWait, interval: 10 });
    expect(await loadStates()).toEqual([{ state: "sent", tries: 3, error: null }]);
    expect(server.received.map(({ to }) => to)).toEqual(["rita@widget.example"]);
    expect(server.received[0]?.text).toContain("Request");
    expect((await ada.post(path)).body.message).toContain("this email is sent");
    const trail = (await ada.get("/security_trail?event=mail-sent-again")).body;
    expect(trail).toMatchObject([1, 2].map(() => ({ person: { id: 1 }, details: { mail: id } })));

    // An email removed for privacy can't be sent.
    await sql("UPDATE mails SET state = 'failed' WHERE id = $1", [id]);
    const { status, body } = await ada.post(path);
    expect([status, body.message]).toEqual([409, "The text of this mail is no longer stored"]);
  });

  test("other errors are retried with growing delays and the same Message-ID", async () => {
    let tries = 0;
    server.refusal = () => (++tries <= 2 ? { code: 451, text: "Later" } : null);
    await requestByRita();
    await listEmails();
    expect(await loadStates()).toEqual([{ state: "waiting", tries: 1, error: expect.stringContaining("Later") }]);
    await clock.pass(2);
    expect(await loadStates()).toMatchObject([{ state: "waiting", tries: 2 }]);
    await clock.pass(3);
    expect(server.received).toEqual([]);
    await clock.pass(1);
    expect(server.received).toHaveLength(1);
    expect(await loadStates()).toEqual([{ state: "sent", tries: 3, error: null }]);
  });

  test("a queued email is sent to the person's current address, and not at all after they opt out", async () => {
    server.refusal = () => ({ code: 451, text: "Later" });
    await requestByRita({ subject: "One" });
    await request({ requested_by_id: sam, subject: "Two" });
    await listEmails();
    await directory.patch(`/people/${rita}`, { primary_email: "rita2@widget.example" });
    await admin.patch(`/people/${sam}`, { send_email_notifications: "never" });
    server.refusal = () => null;
    await clock.pass(60);
    expect(server.received.map(({ to }) => to)).toEqual(["rita2@widget.example"]);
    expect(await sql("SELECT error FROM mails WHERE state = 'failed'")).toEqual([
      { error: "the person has turned off emails" },
    ]);
    await directory.patch(`/people/${rita}`, { primary_email: "rita@widget.example" });
  });

  test("an email that can't be delivered for days is given up", async () => {
    server.refusal = () => ({ code: 451, text: "Later" });
    await requestByRita();
    await listEmails();
    await clock.pass(6 * 86_400);
    expect(await loadStates()).toMatchObject([{ state: "failed" }]);
  });

  test("a mail server that hangs blocks nothing else", async () => {
    close();
    const before = server.connections;
    const { path } = await requestByRita();
    for (const person of [3, 4, 6, 9]) await request({ requested_for_id: person });
    await service.notificationDispatcher.runDue();
    await vi.waitUntil(() => server.connections >= before + 4, { timeout: longestWait });
    const until = new Date(+clock.now() + 60_000).toISOString();
    expect(
      (await admin.patch(path, { status: "waiting_for", waiting_until: until, member_id: sam, team_id: 1 })).status,
    ).toBe(200);
    (clock as unknown as { moment: Date }).moment = new Date(until);
    await service.worker.runDue();
    expect((await admin.get(path)).body.status).toBe("assigned");
    expect(server.received).toEqual([]);
    open();
    await listEmails();
    expect(server.received.length).toBeGreaterThanOrEqual(5);
  });

  test("a notification that can't be dispatched doesn't block the others", async () => {
    const broken = [
      {
        row: "request/completed",
        type: "no such type",
        id: 1,
        account: "widget-it",
        by: null,
        at: { requested_by: rita },
      },
    ];
    await sql(
      "INSERT INTO notification_outbox (account_id, notifications, due_at, created_at) SELECT 'widget-it', $1, $2, $2",
      [JSON.stringify(broken), clock.now()],
    );
    await requestByRita();
    expect(await listEmails()).toHaveLength(1);
    expect(await sql("SELECT tries, error FROM notification_outbox")).toEqual([
      { tries: 1, error: expect.stringContaining("no such type") },
    ]);
    // Dispatching is given up after five days.
    await sql("UPDATE notification_outbox SET tries = 120, due_at = $1", [clock.now()]);
    await listEmails();
    expect(await sql("SELECT 1 FROM notification_outbox")).toEqual([]);
  });
});

test("without a mail server emails are kept, and administrators see their recipient, subject and state", async () => {
  const at = await world();
  const { body } = await at.as("administrator").post("/requests", { category: "other", requested_by_id: rita });
  await at.service.notificationDispatcher.runDue();
  await at.service.mailWorker.runDue();
  const { body: mails } = await at.as("administrator").get("/mails");
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ recipient: "rita@widget.example", state: "waiting" });
  expect(JSON.stringify(mails[0])).toContain(String(body.id));
  const refused = await at.as("administrator").post(`/mails/${mails[0].id}/send_again`);
  expect([refused.status, refused.body.message]).toEqual([409, "No mail server is set up for outgoing email"]);
  expect(await at.sql("SELECT 1 FROM jobs WHERE kind = 'mail'")).toEqual([]);
});

test("killing the server between commit and sending, or while sending, loses no email and keeps its Message-ID", async () => {
  const { start, sql: pool } = await serverProcesses({ SMTP_URL: server.url, MAIL_FROM: "desk@widget.example" });
  const ask = async (base: string, subject: string) => {
    const by = createClient(base, { Authorization: `Bearer ${tokenFor("administrator")}`, account: "widget-it" });
    const reply = await by.post("/requests", { category: "other", subject, requested_by_id: rita });
    expect(reply.status, reply.text).toBe(201);
  };
  let one = await start();
  await ask(one.base, "First");
  await one.kill(); // only the notification is stored
  close();
  one = await start();
  await ask(one.base, "Second");
  await vi.waitUntil(
    async () =>
      (await pool.query("SELECT count(*)::integer AS n FROM jobs WHERE kind = 'mail' AND attempts > 0")).rows[0].n ===
      2,
    { timeout: longestWait },
  );
  await one.kill(); // both emails are being sent
  open();
  await start();
  await vi.waitUntil(
    async () => (await pool.query("SELECT count(*)::integer AS n FROM mails WHERE state = 'sent'")).rows[0].n === 2,
    { timeout: longestWait, interval: 100 },
  );
  expect((await pool.query("SELECT 1 FROM notification_outbox")).rows).toEqual([]);
  const ids = (subject: string) =>
    new Set(
      server.received.filter((mail) => mail.subject.includes(subject)).map(({ headers }) => headers.get("message-id")),
    );
  expect([ids("First").size, ids("Second").size]).toEqual([1, 1]);
});
