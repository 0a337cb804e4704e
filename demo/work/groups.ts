import type { Scenario } from "./phrases.ts";
import type { PlannedRequest } from "./planned-request.ts";
import type { RequestPlanner } from "./requests.ts";
import { addMinutes, nextWorkingMoment, type Timeline } from "./timeline.ts";

// Outages: many people report the same incident, and the service desk answers all of them as one request group.

type Outage = {
  daysAgo: number;
  scenario: Scenario;
  people: readonly string[];
  desk: string;
  minutes: number | null;
  solution: string;
};

const buildScenario = (about: string, subject: string, note: string): Scenario => ({
  about,
  category: "incident",
  weight: 0,
  subject,
  note,
  fix: "",
});

// biome-ignore format: a table keeps its columns
const outages: readonly Outage[] = [
  { daysAgo: 61, desk: "luca",  minutes: 140,  people: ["juno", "linnea", "bea", "hendrik", "oscar", "fatima", "wanda"],
    scenario: buildScenario("erp", "[Prisma does not open|Prisma is down|No connection to Prisma]", "[Prisma says that it cannot connect.|Nobody here can work in Prisma.|A white window, nothing else.]"),
    solution: "The disk of the database was full. Space was made, and monitoring now tells us earlier." },
  { daysAgo: 34, desk: "maeve", minutes: 95,   people: ["clara", "dario", "basil", "simon", "zofia"],
    scenario: buildScenario("mail", "[Mail does not arrive|No new mail|Mail stands still] in London", "[The last message is from eight o'clock.|I send, and nothing comes back.|Customers call and ask whether we read their mail.]"),
    solution: "A certificate had expired during the night. Renewed; held messages were delivered." },
  { daysAgo: 20, desk: "priya", minutes: 105,  people: ["basil", "dario", "theo", "fatima"],
    scenario: buildScenario("portal", "Portal [does not answer|shows an error|is down]", "[{customer} called: the portal does not open.|An error page since this morning.]"),
    solution: "The release of the evening before was taken back, corrected, and put in again." },
  { daysAgo: 1,  desk: "bram",  minutes: null, people: ["grant", "maya", "dana"],
    scenario: buildScenario("network", "Wireless in Duluth [is slow|hardly works]", "[The scanners of the warehouse lose their connection.|Everything takes minutes.|We went back to paper.]"),
    solution: "" },
];

export function planGroups(time: Timeline, requests: RequestPlanner): void {
  for (const outage of outages) {
    const at = nextWorkingMoment(addMinutes(time.now, -outage.daysAgo * 1440 - 120));
    const cases = requests.planMany(outage.scenario, outage.people, at);
    for (const one of cases) one.isGrouped = true;
    const grouping = addMinutes(at, outage.people.length * 12);
    time.plan(grouping, "request group", () => groupRequests(time, outage, cases, grouping));
  }
}

async function groupRequests(
  time: Timeline,
  outage: Outage,
  cases: readonly PlannedRequest[],
  at: Date,
): Promise<void> {
  const [first, ...others] = cases as [PlannedRequest, ...PlannedRequest[]];
  const { account } = first;
  const loadGroupId = async () =>
    Number((await time.readColumns("requests", "grouped_into_id", first.id ?? 0))[0] ?? first.id);
  for (const { id } of others)
    await time.update({ who: outage.desk, at, account }, "request", id ?? 0, { grouped_into: await loadGroupId() });
  const id = await loadGroupId();
  const member = time.getId("person", outage.desk);
  const team = time.getId("team", "desk");
  const taken = { team, member, status: "in_progress", note: "We know about it and are working on it." };
  await time.update({ who: outage.desk, at, account }, "request", id, taken);
  if (outage.minutes === null) return;
  const end = addMinutes(at, outage.minutes);
  time.plan(end, "request group", async () => {
    const done = { status: "completed", completion_reason: "solved", note: outage.solution };
    await time.update({ who: outage.desk, at: end, account }, "request", id, done);
    // Requests that were not completed with their group are completed one by one.
    for (const each of cases) {
      const [status] = await time.readColumns("requests", "status", each.id ?? 0);
      if (status !== "completed")
        await time.update({ who: outage.desk, at: end, account }, "request", each.id ?? 0, { ...done, team, member });
    }
  });
}
