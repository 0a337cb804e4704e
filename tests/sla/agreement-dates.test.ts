import { describe, expect, test } from "vitest";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { world } from "../support/world.ts";

// Agreements that start and expire on their dates: SL3, SL5, C6.

const { as, clock } = await world(); // it is Monday 2025-03-03, 09:00 in Amsterdam
const admin = as("administrator");
const { make } = serviceAgreements(admin);

describe("agreements with their own time zone", () => {
  const dates = { status: "scheduled_for_activation", start_date: "2025-03-05", expiry_date: "2025-03-06" };

  // biome-ignore format: a table keeps its columns
  test.each([
    ["/contracts", "Tokyo",     { category: "lease_contract", customer_id: 1 }, "2025-03-04T15:00:00Z", "2025-03-06T15:00:00Z"],
    ["/flsas",     "Amsterdam", { provider_id: 1, customer_id: 1 },             "2025-03-04T23:00:00Z", "2025-03-06T23:00:00Z"],
    ["/flsas",     null,        { provider_id: 1, customer_id: 1 },             "2025-03-04T23:00:00Z", "2025-03-06T23:00:00Z"],
  ])("%s in %s", async (path, time_zone, members, begins, ends) => {
    await clock.moveTo("2025-03-03T08:00:00Z");
    const { id } = await make(path, { name: "N", time_zone, ...dates, ...members });
    const justBefore = (moment: string) => new Date(Date.parse(moment) - 1000).toISOString();
    for (const [moment, expected] of [
      [justBefore(begins), "scheduled_for_activation"],
      [begins, "active"],
      [justBefore(ends), "active"],
      [ends, "expired"],
    ] as const) {
      await clock.moveTo(moment);
      expect([moment, (await admin.get(`${path}/${id}`)).body.status]).toEqual([moment, expected]);
    }
  });
});
