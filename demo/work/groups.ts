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
    scenario: buildScenario("erp", "[Prisma won't open|Prisma is down|Can't connect to Prisma]", "[Prisma says it can't connect.|No one here can work in Prisma.|I just get a blank window.]"),
    solution: "The database disk was full. We've freed up space and lowered the alert threshold." },
  { daysAgo: 34, desk: "maeve", minutes: 95,   people: ["clara", "dario", "basil", "simon", "zofia"],
    scenario: buildScenario("mail", "[Email not arriving|No new email|Email is stuck] in London", "[My last message is from eight o'clock.|I can send, but I'm not receiving anything.|Customers are calling to ask whether we got their emails.]"),
    solution: "A certificate expired overnight. We've renewed it, and all queued messages have been delivered." },
  { daysAgo: 20, desk: "priya", minutes: 105,  people: ["basil", "dario", "theo", "fatima"],
    scenario: buildScenario("portal", "Portal [not responding|shows an error|is down]", "[{customer} called to say the portal won't open.|We've been getting an error page since this morning.]"),
    solution: "We rolled back last night's release, fixed it and deployed it again." },
  { daysAgo: 1,  desk: "bram",  minutes: null, people: ["grant", "maya", "dana"],
    scenario: buildScenario("network", "Wi-Fi in Duluth [is slow|barely works]", "[The warehouse scanners keep losing their connection.|Everything takes minutes.|We're back to pen and paper.]"),
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
  const taken = { team, member, status: "in_progress", note: "We're aware of the problem and are working on it." };
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
