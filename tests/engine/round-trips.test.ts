import { expect, test } from "vitest";
import { startWireRelay, type WireCount, type WireRelay } from "../../bench/wire-relay.ts";
import { statement } from "../../server/database/database.ts";
import { atFileEnd } from "../support/cleanup.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { world } from "../support/world.ts";

// D-499: every wait for the database adds latency to a call, even if each result is fast. The relay counts the round trips that
// actually cross the wire.

let relay: WireRelay | undefined;
const { as, service } = await world({
  async relay(url) {
    relay = await startWireRelay(url);
    atFileEnd(() => relay?.stop());
    return relay.url;
  },
});
// This account shares nothing with others, because calls for several accounts read more.
const admin = as("stranger");
const { instance, offering, sla } = serviceAgreements(admin);

/**
 * Returns the call with the fewest round trips. The first calls prepare statements, and the service's jobs pass the relay, too.
 * On a busy machine they may coincide with every call for a while, so up to 40 calls are made until one meets the target.
 */
async function countLeast(call: (n: number) => Promise<{ status: number }>, wanted: number): Promise<WireCount> {
  const counts: WireCount[] = [];
  for (let n = 0; n < 9 || (n < 40 && !counts.some(({ roundTrips }) => roundTrips <= wanted)); n++) {
    const count = await (relay as WireRelay).count(async () => expect((await call(n)).status).toBeLessThan(300));
    if (n > 3) counts.push(count);
  }
  // A connection that last served another time zone switches to the caller's in the same round trip.
  const compare = (one: WireCount, other: WireCount) =>
    one.roundTrips - other.roundTrips || one.statements - other.statements;
  return counts.toSorted(compare)[0] as WireCount;
}

const at = await instance({ service_id: 2, first_line_team_id: 3, support_team_id: 3 });
const offered = await offering({ service_id: 2, response_target_low: 60, resolution_target_low: 240 });
const agreement = { coverage: "customer_account", customer_account: "stranger", customer_representative_ids: [7] };
await sla({ service_instance_id: at.id, service_offering_id: offered.id, customer_id: 5, ...agreement });
const body = {
  subject: "The printer is offline",
  category: "incident",
  impact: "low",
  requested_for_id: 7,
  service_instance_id: at.id,
};

test("creating a request takes two round trips", async () => {
  const { roundTrips, statements, texts } = await countLeast(() => admin.post("/requests", body), 2);
  expect(texts.filter((text) => text.startsWith("INSERT INTO affected_slas"))).toHaveLength(1);
  expect(roundTrips, texts.join("\n")).toBeLessThanOrEqual(2);
  expect(statements, texts.join("\n")).toBeLessThanOrEqual(9);
});

test("in accounts that share requests, creating one and changing its status take three round trips each", async () => {
  const sharing = as("administrator", { account: "widget-it" });
  const agreements = serviceAgreements(sharing);
  const own = await agreements.instance({ service_id: 1, first_line_team_id: 1, support_team_id: 2 });
  const made = { subject: "The printer is offline", category: "incident", impact: "low", service_instance_id: own.id };
  const created = await countLeast(() => sharing.post("/requests", made), 3);
  expect(created.roundTrips, created.texts.join("\n")).toBeLessThanOrEqual(3);
  const { id } = (await sharing.post("/requests", { ...made, member_id: 3 })).body as { id: number };
  const statuses = ["in_progress", "waiting_for_customer"];
  const changed = await countLeast((n) => sharing.patch(`/requests/${id}`, { status: statuses[n % 2] }), 3);
  expect(changed.roundTrips, changed.texts.join("\n")).toBeLessThanOrEqual(3);
});

test("changing a request's status takes two round trips", async () => {
  const { id } = (await admin.post("/requests", body)).body as { id: number };
  const statuses = ["in_progress", "waiting_for_customer"];
  const { roundTrips, texts } = await countLeast((n) => admin.patch(`/requests/${id}`, { status: statuses[n % 2] }), 2);
  expect(texts.filter((text) => text.startsWith("UPDATE requests"))).toHaveLength(1);
  expect(roundTrips, texts.join("\n")).toBeLessThanOrEqual(2);
});

test("reading a record, a list and its total takes one round trip", async () => {
  const { id } = (await admin.post("/requests", body)).body as { id: number };
  for (const path of [`/requests/${id}`, "/requests/open?per_page=25", "/requests?status=assigned&sort=updated_at"]) {
    const { roundTrips, statements, texts } = await countLeast(() => admin.get(path), 1);
    expect([statements, roundTrips], `${path}\n${texts.join("\n")}`).toEqual([1, 1]);
  }
});

test("a failing statement fails its transaction, and the statements behind it can be sent again", async () => {
  const { database } = service.engine;
  const fails = statement("SELECT 1 / $1::integer");
  const behind = statement("SELECT $1::text || ' is prepared in the same packet'");
  const failed = database.transaction(async (tx) => {
    tx.send(fails, [0]);
    return tx.query(behind, ["it"]);
  });
  await expect(failed).rejects.toMatchObject({ code: "22012" });
  const again = await Promise.all(["a", "b"].map((text) => database.transaction((tx) => tx.query(behind, [text]))));
  expect(again.flat(2)).toEqual(["a is prepared in the same packet", "b is prepared in the same packet"]);
});

test("a write invalidates results that were read ahead", async () => {
  const count = statement("SELECT count(*) FROM instance_facts WHERE name = $1");
  const add = statement("INSERT INTO instance_facts (name, value) VALUES ($1, '')");
  const counted: unknown[] = [];
  const failed = service.engine.database.transaction(async (tx) => {
    tx.readAhead(count, ["a fact"]);
    counted.push(await tx.query(count, ["a fact"]));
    tx.send(add, ["a fact"]);
    counted.push(await tx.query(count, ["a fact"]));
    throw new Error("that is enough");
  });
  await expect(failed).rejects.toThrow("that is enough");
  expect(counted).toEqual([[["0"]], [["1"]]]);
});

test("a combined read ahead serves the reads that it includes; other reads are sent to the database", async () => {
  const both = statement("SELECT $1::integer, $2::text");
  const number = statement("SELECT $1::integer");
  const word = statement("SELECT $1::text");
  const id = statement("SELECT 'another id'");
  const answers = await service.engine.database.transaction(async (tx) => {
    tx.readAhead(
      both,
      [7, "seven"],
      [
        { statement: number, values: [7], pick: (rows) => rows.map((row) => row.slice(0, 1)) },
        { statement: word, values: ["eight"], pick: () => null },
        { statement: id, values: [], pick: () => [["an id"]], once: true },
      ],
    );
    const ids = [await tx.query(id), await tx.query(id)];
    return [await tx.query(number, [7]), await tx.query(number, [9]), await tx.query(word, ["eight"]), ...ids];
  });
  // A result marked `once` is used for one read.
  expect(answers).toEqual([[["7"]], [["9"]], [["eight"]], [["an id"]], [["another id"]]]);
});
