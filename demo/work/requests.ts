import { configurationItemRows } from "../data/assets.ts";
import { people } from "../data/people.ts";
import { services } from "../data/services.ts";
import { teams } from "../data/teams.ts";
import type { SeededRandom } from "../loader/seeded-random.ts";
import { planAnswer } from "./answers.ts";
import { Paces } from "./pace.ts";
import { renderPhrase, type Scenario, scenarios } from "./phrases.ts";
import type { PlannedRequest } from "./planned-request.ts";
import { addMinutes, type Fields, isWeekend, nextWorkingMoment, type Timeline } from "./timeline.ts";

const days = 90;

type Requester = { name: string; site: string; organization: string };
const seats: readonly Requester[] = people.flatMap(({ rows }) =>
  Object.entries(rows)
    .filter(([, { disabled }]) => disabled !== true)
    .map(([name, { site, organization }]) => ({ name, site: String(site), organization: String(organization) })),
);
const outside = ["nimbrook", "nimbrook-cloud", "nimbrook-centre", "tern"];
const insiders = seats.filter(({ organization }) => !outside.includes(organization));
const supporters = ["it", "it-operations", "applications", "workplace"];
/** Supporters make fewer requests than others. */
const weightedRequesters = insiders.flatMap((seat) =>
  supporters.includes(seat.organization) ? [seat] : [seat, seat, seat, seat],
);
const customerFacing = insiders.filter(({ organization }) =>
  ["care", "sales-europe", "sales-americas"].includes(organization),
);
const watchers = seats.filter(({ organization }) => organization === "nimbrook-centre");
/** hours from UTC, near enough for the time of a lunch */
// biome-ignore format: a table keeps its columns
const utcOffsets: Readonly<Record<string, number>> = { eindhoven: 1, london: 0, duluth: -6, newyork: -5, kobe: 9, bengaluru: 5, gdansk: 1, lisbon: 0 };
// biome-ignore format: a table keeps its columns
const networks: Readonly<Record<string, string>> = { eindhoven: "network-europe", london: "network-europe", duluth: "network-america", newyork: "network-america", kobe: "network-asia", bengaluru: "network-asia" };

const findAccount = (service: string): string => String(services.rows[service]?.in ?? services.in);
const findSupportTeam = (service: string): string => String(services.rows[service]?.support_team);
const listMembers = (team: string): readonly string[] => (teams.rows[team]?.members ?? []) as readonly string[];

const total = scenarios.reduce((sum, { weight }) => sum + weight, 0);
function pickScenario(chance: SeededRandom): Scenario {
  let left = chance.next() * total;
  for (const scenario of scenarios) {
    left -= scenario.weight;
    if (left < 0) return scenario;
  }
  return scenarios[0] as Scenario;
}

const pickRequester = ({ about }: Scenario, chance: SeededRandom): Requester =>
  chance.pick(about === "portal" ? customerFacing : findAccount(about) === "nimbrook" ? watchers : weightedRequesters);

/** A moment of the last 90 days within the working hours at the site. */
function pickMoment(now: Date, site: string, chance: SeededRandom): Date {
  for (;;) {
    const at = new Date(now.getTime() - chance.between(0, days - 1) * 86_400_000);
    const hour = chance.weighted({
      7: 4,
      8: 14,
      9: 18,
      10: 15,
      11: 11,
      12: 5,
      13: 12,
      14: 12,
      15: 9,
      16: 6,
      17: 3,
      20: 1,
    });
    at.setUTCHours(Number(hour) - (utcOffsets[site] ?? 0), chance.between(0, 59), chance.between(0, 59), 0);
    const isWithin = at <= now && now.getTime() - at.getTime() < days * 86_400_000;
    if (isWithin && (!isWeekend(at) || chance.withProbability(0.06))) return at;
  }
}

// biome-ignore format: a table keeps its columns
const impacts = { low: 62, medium: 27, high: 9, top: 2 } as const;
// biome-ignore format: a table keeps its columns
const reasons = { solved: 86, workaround: 5, gone: 3, withdrawn: 2, duplicate: 1, unsolvable: 2, conflict: 1 } as const;
const reasonsOfRequests = { solved: 90, rejected: 4, withdrawn: 5, unsolvable: 1 } as const;

// biome-ignore format: a table keeps its columns
const asides = {
  taken:    "[I'm looking into it.|On it.|I'll take a look this morning.|I can reproduce it and am looking for the cause.|I've had a first look. Nothing obvious yet.|I called but couldn't reach you. I'll try again later.]",
  passed:   "[Tried the usual fixes, no luck.|Not something first line can fix.|The article didn't help.|Please take a look, the requester is waiting.|Checked the cable and the account, both fine.]",
  waiting:  "[Waiting for a part.|The supplier is coming later this week.|On hold until the update is out.|Agreed with the requester to follow up later.]",
  silence:  "[We haven't heard back for a week, so I'm closing this. Reply any time to reopen it.|No reply, so closing this for now.]",
  reopened: "[Sorry, the problem is back.|It worked for an hour.|Still the same, I'm afraid.]",
  again:    "[Found the actual cause this time.|This should fix it for good.|Fixed again and confirmed with the requester.]",
  withdrawn:"[No longer needed, thanks.|I figured it out. It was unplugged.|Never mind, please close this.]",
};
const closures = ["explained", "repaired", "configuration_changed", "restarted", "replaced"];

export class RequestPlanner {
  readonly planned: PlannedRequest[] = [];
  private readonly time: Timeline;
  private readonly chance: SeededRandom;
  private readonly paces: Paces;
  private readonly teamNames: ReadonlyMap<number, string>;

  constructor(time: Timeline, chance: SeededRandom) {
    this.time = time;
    this.chance = chance;
    this.paces = new Paces(chance);
    this.teamNames = new Map(Object.keys(teams.rows).map((name) => [time.getId("team", name), name]));
  }

  /** Plans requests and their further steps. */
  plan(count: number): void {
    for (let n = 0; n < count; n++) {
      const scenario = pickScenario(this.chance);
      const requester = pickRequester(scenario, this.chance);
      this.planOne(scenario, requester, pickMoment(this.time.now, requester.site, this.chance));
    }
  }

  /** Several people report the same trouble within an hour. */
  planMany(scenario: Scenario, requesters: readonly string[], at: Date): PlannedRequest[] {
    return requesters.map((name, index) => {
      const seat = seats.find((each) => each.name === name) as Requester;
      const one = this.begin(scenario, seat, addMinutes(at, index * 7 + this.chance.between(0, 5)));
      this.register(one, seat, { impact: "medium" });
      return one;
    });
  }

  private begin(scenario: Scenario, { name }: Requester, createdAt: Date): PlannedRequest {
    const account = findAccount(scenario.about);
    const one: PlannedRequest = {
      account,
      scenario,
      requester: name,
      createdAt,
      lane: `case ${this.planned.length}`,
      subject: "",
      id: null,
      isGrouped: false,
      isTakenOver: false,
    };
    this.planned.push(one);
    return one;
  }

  private planOne(scenario: Scenario, requester: Requester, createdAt: Date): void {
    const { chance, time } = this;
    const one = this.begin(scenario, requester, createdAt);
    const words = new Map<string, string>();
    const service = scenario.about;
    const support = findSupportTeam(service);
    const firstLine = String(services.rows[service]?.first_line_team ?? support);
    const analyst = chance.withProbability(0.42) ? chance.pick(listMembers(firstLine)) : null;
    const byAnalyst = analyst !== null && this.isAnalyst(one.account, analyst) ? analyst : null;
    const solvedAtOnce = byAnalyst !== null && chance.withProbability(0.3);
    const impact = this.register(one, requester, { analyst: byAnalyst, words, plain: solvedAtOnce });
    if (solvedAtOnce) {
      this.complete(one, addMinutes(createdAt, chance.between(3, 18)), words, byAnalyst, false);
      return;
    }
    const pace = this.paces.begin(service, impact ?? scenario.category, createdAt);
    let at = pace.respond();
    if (support !== firstLine && (scenario.straight === true || chance.withProbability(0.42))) {
      const note = renderPhrase(asides.passed, chance, words);
      this.step(one, at, (member) => [member, { team: time.getId("team", support), internal_note: note }]);
      at = pace.advance();
    }
    if (chance.withProbability(0.03)) {
      this.withdraw(one, at, words);
      return;
    }
    this.take(one, at, words);
    const asked = scenario.ask !== undefined && chance.withProbability(0.38);
    if (asked) {
      const answered = this.ask(one, pace.advance(), words);
      if (answered === null) return;
      pace.pause(answered);
      this.step(one, pace.advance(), (member) => [member, { status: "in_progress" }]);
    } else if (chance.withProbability(0.05) && impact !== "high" && impact !== "top") {
      at = pace.advance();
      const until = nextWorkingMoment(addMinutes(at, chance.between(1, 9) * 1440));
      const note = renderPhrase(asides.waiting, chance, words);
      this.step(one, at, (member) => [member, { status: "waiting_for", waiting_until: until.toISOString(), note }]);
      this.step(one, until, (member) => [member, { status: "in_progress" }]);
      pace.pause(until);
    }
    this.complete(one, pace.finish(), words, null, asked);
  }

  private isAnalyst(account: string, person: string): boolean {
    const roles = people.map(({ rows }) => rows[person]).find((row) => row !== undefined)?.roles as
      | Readonly<Record<string, readonly string[]>>
      | undefined;
    return roles?.[account]?.includes("service_desk_analyst") === true;
  }

  /** Returns the impact of an incident. */
  private register(
    one: PlannedRequest,
    seat: Requester,
    options: { analyst?: string | null; words?: Map<string, string>; impact?: string; plain?: boolean } = {},
  ): string | undefined {
    const { analyst = null, words = new Map<string, string>(), plain = false } = options;
    const { chance, time } = this;
    const { scenario, account } = one;
    const instance = scenario.about === "network" ? (networks[seat.site] ?? "network-europe") : scenario.about;
    one.subject = renderPhrase(scenario.subject, chance, words);
    const fields: Record<string, unknown> = {
      subject: one.subject,
      category: scenario.category,
      service_instance: time.getId("service_instance", instance),
      note: renderPhrase(scenario.note, chance, words),
    };
    const impact = scenario.category === "incident" ? (options.impact ?? chance.weighted(impacts)) : undefined;
    if (impact !== undefined) fields.impact = impact;
    if (analyst !== null) {
      fields.requested_for = time.getId("person", seat.name);
      if (scenario.template !== undefined && !plain && chance.withProbability(0.7))
        fields.template = time.getId("request_template", scenario.template);
    }
    time.plan(
      one.createdAt,
      `request of ${seat.name}`,
      async () => {
        one.id = await time.create({ who: analyst ?? seat.name, at: one.createdAt, account }, "request", fields);
      },
      one.lane,
    );
    return impact;
  }

  /** A step of the member who has the request at that moment, or of someone in its team. */
  private step(one: PlannedRequest, at: Date, act: (member: string) => readonly [string, Fields]): void {
    const luck = this.chance.next();
    this.time.plan(
      at,
      `request of ${one.requester}`,
      async () => {
        if (one.id === null || one.isTakenOver) return;
        const [who, fields] = act(await this.findHolder(one.id, luck));
        await this.time.update({ who, at, account: one.account }, "request", one.id, fields);
      },
      one.lane,
    );
  }

  private async findHolder(request: number, luck: number): Promise<string> {
    const [team, member] = await this.time.readColumns("requests", "team_id, member_id", request);
    const candidates = listMembers(this.teamNames.get(Number(team)) ?? "");
    const known = candidates.find((name) => this.time.getId("person", name) === Number(member));
    return known ?? (candidates[Math.floor(luck * candidates.length)] as string);
  }

  private take(one: PlannedRequest, at: Date, words: Map<string, string>): void {
    const { chance, time } = this;
    const status = chance.withProbability(0.12) ? "accepted" : "in_progress";
    const note = chance.withProbability(0.55) ? { note: renderPhrase(asides.taken, chance, words) } : {};
    const item = this.buildItemFields(one);
    this.step(one, at, (member) => [member, { member: time.getId("person", member), status, ...note, ...item }]);
  }

  /** Incidents about computers are about the laptop of the requester. */
  private buildItemFields({ scenario, requester }: PlannedRequest): Fields {
    const name = `laptop-${requester}`;
    const isKnown = scenario.about === "computer" && scenario.category === "incident" && name in configurationItemRows;
    return isKnown ? { ci: this.time.getId("ci", name) } : {};
  }

  /** Asks the requester; returns the time of the answer, or null when none comes. */
  private ask(one: PlannedRequest, at: Date, words: Map<string, string>): Date | null {
    const { chance } = this;
    const question = renderPhrase(one.scenario.ask ?? "", chance, words);
    this.step(one, at, (member) => [member, { status: "waiting_for_customer", note: question }]);
    if (chance.withProbability(0.12)) {
      const end = nextWorkingMoment(addMinutes(at, chance.between(7, 10) * 1440));
      const note = renderPhrase(asides.silence, chance, words);
      this.step(one, end, (member) => [member, { status: "completed", completion_reason: "no_reply", note }]);
      return null;
    }
    const answered = addMinutes(at, chance.skewed(150, 6000));
    const text = renderPhrase(one.scenario.answer ?? "Yes.", chance, words);
    this.planNote(one, answered, text);
    return answered;
  }

  /** The requester writes a note. */
  private planNote(one: PlannedRequest, at: Date, text: string): void {
    this.time.plan(
      at,
      `note of ${one.requester}`,
      async () => {
        if (one.id === null || one.isTakenOver) return;
        await this.time.create({ who: one.requester, at, account: one.account }, "note", { text }, { request: one.id });
      },
      one.lane,
    );
  }

  private withdraw(one: PlannedRequest, at: Date, words: Map<string, string>): void {
    this.planNote(one, at, renderPhrase(asides.withdrawn, this.chance, words));
    this.step(one, addMinutes(at, this.chance.between(4, 90)), (member) => [
      member,
      { member: this.time.getId("person", member), status: "completed", completion_reason: "withdrawn" },
    ]);
  }

  private complete(
    one: PlannedRequest,
    at: Date,
    words: Map<string, string>,
    who: string | null,
    asked: boolean,
  ): void {
    const { chance, time } = this;
    const { scenario, account } = one;
    const completion_reason = chance.weighted(scenario.category === "incident" ? reasons : reasonsOfRequests);
    const isIt = account === "quillhaven-it";
    const fields: Record<string, unknown> = {
      status: "completed",
      completion_reason,
      note: renderPhrase(scenario.fix, chance, words),
      ...(isIt && scenario.category === "incident" ? { closure_code: chance.pick(closures) } : {}),
      ...(scenario.article !== undefined && chance.withProbability(0.35)
        ? { knowledge_article: time.getId("knowledge_article", scenario.article) }
        : {}),
      ...(chance.withProbability(0.3) ? { time_spent: chance.between(1, 8) * 15 } : {}),
    };
    this.step(one, at, (member) => {
      const by = who ?? member;
      return [by, { ...fields, member: time.getId("person", by) }];
    });
    planAnswer(time, one, at);
    if (completion_reason !== "solved" || asked || !chance.withProbability(0.04)) return;
    const back = nextWorkingMoment(addMinutes(at, chance.skewed(600, 4000)));
    this.planNote(one, back, renderPhrase(asides.reopened, chance, words));
    const taken = nextWorkingMoment(addMinutes(back, chance.skewed(60, 900)));
    this.step(one, taken, (member) => [member, { status: "in_progress" }]);
    const note = renderPhrase(asides.again, chance, words);
    this.step(one, nextWorkingMoment(addMinutes(taken, chance.skewed(300, 6000))), (member) => [
      member,
      { status: "completed", completion_reason: "solved", note },
    ]);
  }
}
