import { configurationItemRows } from "../assets.ts";
import { people } from "../people.ts";
import type { Chance } from "../random.ts";
import { services } from "../services.ts";
import { teams } from "../teams.ts";
import { type Scenario, said, scenarios } from "./phrases.ts";
import { atWork, type Fields, isWeekend, later, type Timeline } from "./timeline.ts";

/** A request that the story goes on about. */
export type Case = {
  account: string;
  scenario: Scenario;
  requester: string;
  createdAt: Date;
  subject: string;
  lane: string;
  /** null until it is registered */
  id: number | null;
  /** told of by many at once */
  grouped: boolean;
  /** set when another part of the story has taken over */
  elsewhere: boolean;
};

const days = 90;

type Seat = { name: string; site: string; organization: string };
const seats: readonly Seat[] = people.flatMap(({ rows }) =>
  Object.entries(rows)
    .filter(([, { disabled }]) => disabled !== true)
    .map(([name, { site, organization }]) => ({ name, site: String(site), organization: String(organization) })),
);
const outside = ["nimbrook", "nimbrook-cloud", "nimbrook-centre", "tern"];
const insiders = seats.filter(({ organization }) => !outside.includes(organization));
const supporters = ["it", "it-operations", "applications", "workplace"];
/** Who supports others asks for less. */
const askers = insiders.flatMap((seat) => (supporters.includes(seat.organization) ? [seat] : [seat, seat, seat, seat]));
const customerFacing = insiders.filter(({ organization }) =>
  ["care", "sales-europe", "sales-americas"].includes(organization),
);
const watchers = seats.filter(({ organization }) => organization === "nimbrook-centre");
/** hours from UTC, near enough for the time of a lunch */
// biome-ignore format: a table keeps its columns
const ahead: Readonly<Record<string, number>> = { eindhoven: 1, london: 0, duluth: -6, newyork: -5, kobe: 9, bengaluru: 5, gdansk: 1, lisbon: 0 };
// biome-ignore format: a table keeps its columns
const networks: Readonly<Record<string, string>> = { eindhoven: "network-europe", london: "network-europe", duluth: "network-america", newyork: "network-america", kobe: "network-asia", bengaluru: "network-asia" };

const accountOf = (service: string): string => String(services.rows[service]?.in ?? services.in);
const supportOf = (service: string): string => String(services.rows[service]?.support_team);
const membersOf = (team: string): readonly string[] => (teams.rows[team]?.members ?? []) as readonly string[];

const total = scenarios.reduce((sum, { weight }) => sum + weight, 0);
function anyScenario(chance: Chance): Scenario {
  let left = chance.next() * total;
  for (const scenario of scenarios) {
    left -= scenario.weight;
    if (left < 0) return scenario;
  }
  return scenarios[0] as Scenario;
}

const requesterFor = ({ about }: Scenario, chance: Chance): Seat =>
  chance.pick(about === "portal" ? customerFacing : accountOf(about) === "nimbrook" ? watchers : askers);

/** Some day of the last 90, at an hour when people work where the requester is. */
function someMoment(now: Date, site: string, chance: Chance): Date {
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
    at.setUTCHours(Number(hour) - (ahead[site] ?? 0), chance.between(0, 59), chance.between(0, 59), 0);
    const isWithin = at <= now && now.getTime() - at.getTime() < days * 86_400_000;
    if (isWithin && (!isWeekend(at) || chance.happens(0.06))) return at;
  }
}

// biome-ignore format: a table keeps its columns
const impacts = { low: 62, medium: 27, high: 9, top: 2 } as const;
// biome-ignore format: a table keeps its columns
const reasons = { solved: 86, workaround: 5, gone: 3, withdrawn: 2, duplicate: 1, unsolvable: 2, conflict: 1 } as const;
const reasonsOfRequests = { solved: 90, rejected: 4, withdrawn: 5, unsolvable: 1 } as const;

// biome-ignore format: a table keeps its columns
const asides = {
  taken:    "[I am looking into it.|On it.|Will have a look this morning.|Reproduced it, looking for the cause.|Had a first look: nothing obvious.|Called, nobody there; I try again later.]",
  passed:   "[Tried the usual things, without success.|Not for the first line.|The article did not help.|Please have a look, the requester waits.|Checked cable and sign-in, both fine.]",
  waiting:  "[Waiting for the part.|The supplier comes later this week.|To be looked at again when the update is out.|Agreed with the requester to look again later.]",
  silence:  "[No answer for a week, so I close this. Write to us and it is open again.|We heard nothing more; closed for now.]",
  reopened: "[Sorry, it is back.|It worked for an hour.|Still the same, I am afraid.]",
  again:    "[Second attempt: found the actual cause this time.|Solved for good, I hope.|Done again, and checked together with the requester.]",
  withdrawn:"[No longer needed, thank you.|I solved it myself. It was the plug.|Please forget it.]",
};
const closures = ["explained", "repaired", "configuration_changed", "restarted", "replaced"];

export class Requests {
  readonly cases: Case[] = [];
  private readonly time: Timeline;
  private readonly chance: Chance;
  private readonly teamNames: ReadonlyMap<number, string>;

  constructor(time: Timeline, chance: Chance) {
    this.time = time;
    this.chance = chance;
    this.teamNames = new Map(Object.keys(teams.rows).map((name) => [time.id("team", name), name]));
  }

  /** Plans so many requests and what becomes of them. */
  plan(count: number): void {
    for (let n = 0; n < count; n++) {
      const scenario = anyScenario(this.chance);
      const requester = requesterFor(scenario, this.chance);
      this.planOne(scenario, requester, someMoment(this.time.now, requester.site, this.chance));
    }
  }

  /** Several people tell of the same trouble within the hour. */
  planMany(scenario: Scenario, requesters: readonly string[], at: Date): Case[] {
    return requesters.map((name, index) => {
      const seat = seats.find((each) => each.name === name) as Seat;
      const one = this.begin(scenario, seat, later(at, index * 7 + this.chance.between(0, 5)));
      this.register(one, seat, { impact: "medium" });
      return one;
    });
  }

  private begin(scenario: Scenario, { name }: Seat, createdAt: Date): Case {
    const account = accountOf(scenario.about);
    const one: Case = {
      account,
      scenario,
      requester: name,
      createdAt,
      lane: `case ${this.cases.length}`,
      subject: "",
      id: null,
      grouped: false,
      elsewhere: false,
    };
    this.cases.push(one);
    return one;
  }

  private planOne(scenario: Scenario, requester: Seat, createdAt: Date): void {
    const { chance, time } = this;
    const one = this.begin(scenario, requester, createdAt);
    const words = new Map<string, string>();
    const service = scenario.about;
    const support = supportOf(service);
    const firstLine = String(services.rows[service]?.first_line_team ?? support);
    const analyst = chance.happens(0.42) ? chance.pick(membersOf(firstLine)) : null;
    const byAnalyst = analyst !== null && this.isAnalyst(one.account, analyst) ? analyst : null;
    const solvedAtOnce = byAnalyst !== null && chance.happens(0.3);
    this.register(one, requester, { analyst: byAnalyst, words, plain: solvedAtOnce });

    let at = later(createdAt, chance.minutes(40, 900));
    if (solvedAtOnce) at = later(createdAt, chance.between(3, 18));
    at = solvedAtOnce ? at : atWork(at);

    if (!solvedAtOnce && support !== firstLine && (scenario.straight === true || chance.happens(0.42))) {
      const note = said(asides.passed, chance, words);
      this.step(one, at, (member) => [member, { team: time.id("team", support), internal_note: note }]);
      at = atWork(later(at, chance.minutes(70, 2000)));
    }
    if (chance.happens(0.03) && !solvedAtOnce) {
      this.withdraw(one, at, words);
      return;
    }
    if (!solvedAtOnce) {
      this.take(one, at, words);
      at = atWork(later(at, chance.minutes(90, 2500)));
    }
    const asked = scenario.ask !== undefined && !solvedAtOnce && chance.happens(0.38);
    if (asked) {
      const answered = this.ask(one, at, words);
      if (answered === null) return;
      at = atWork(later(answered, chance.minutes(60, 1200)));
      this.step(one, at, (member) => [member, { status: "in_progress" }]);
      at = atWork(later(at, chance.minutes(120, 3000)));
    } else if (!solvedAtOnce && chance.happens(0.05)) {
      const until = atWork(later(at, chance.between(1, 9) * 1440));
      const note = said(asides.waiting, chance, words);
      this.step(one, at, (member) => [member, { status: "waiting_for", waiting_until: until.toISOString(), note }]);
      this.step(one, until, (member) => [member, { status: "in_progress" }]);
      at = atWork(later(until, chance.minutes(120, 3000)));
    } else if (!solvedAtOnce) at = atWork(later(at, chance.minutes(240, 14_000)));
    if (!solvedAtOnce && chance.happens(0.4)) at = atWork(later(at, chance.between(1, 24) * 1440));
    this.complete(one, at, words, solvedAtOnce ? byAnalyst : null, asked);
  }

  private isAnalyst(account: string, person: string): boolean {
    const roles = people.map(({ rows }) => rows[person]).find((row) => row !== undefined)?.roles as
      | Readonly<Record<string, readonly string[]>>
      | undefined;
    return roles?.[account]?.includes("service_desk_analyst") === true;
  }

  private register(
    one: Case,
    seat: Seat,
    more: { analyst?: string | null; words?: Map<string, string>; impact?: string; plain?: boolean } = {},
  ): void {
    const { analyst = null, words = new Map<string, string>(), impact, plain = false } = more;
    const { chance, time } = this;
    const { scenario, account } = one;
    const instance = scenario.about === "network" ? (networks[seat.site] ?? "network-europe") : scenario.about;
    one.subject = said(scenario.subject, chance, words);
    const fields: Record<string, unknown> = {
      subject: one.subject,
      category: scenario.category,
      service_instance: time.id("service_instance", instance),
      note: said(scenario.note, chance, words),
    };
    if (scenario.category === "incident") fields.impact = impact ?? chance.weighted(impacts);
    if (analyst !== null) {
      fields.requested_for = time.id("person", seat.name);
      if (scenario.template !== undefined && !plain && chance.happens(0.7))
        fields.template = time.id("request_template", scenario.template);
    }
    time.plan(
      one.createdAt,
      `request of ${seat.name}`,
      async () => {
        one.id = await time.create(analyst ?? seat.name, one.createdAt, account, "request", fields);
      },
      one.lane,
    );
  }

  /** A step of whoever has the request then, or somebody of the team that has it. */
  private step(one: Case, at: Date, act: (member: string) => readonly [string, Fields]): void {
    const luck = this.chance.next();
    this.time.plan(
      at,
      `request of ${one.requester}`,
      async () => {
        if (one.id === null || one.elsewhere) return;
        const [who, fields] = act(await this.holder(one.id, luck));
        await this.time.update(who, at, one.account, "request", one.id, fields);
      },
      one.lane,
    );
  }

  private async holder(request: number, luck: number): Promise<string> {
    const [team, member] = await this.time.current("requests", "team_id, member_id", request);
    const candidates = membersOf(this.teamNames.get(Number(team)) ?? "");
    const known = candidates.find((name) => this.time.id("person", name) === Number(member));
    return known ?? (candidates[Math.floor(luck * candidates.length)] as string);
  }

  private take(one: Case, at: Date, words: Map<string, string>): void {
    const { chance, time } = this;
    const status = chance.happens(0.12) ? "accepted" : "in_progress";
    const note = chance.happens(0.55) ? { note: said(asides.taken, chance, words) } : {};
    const item = this.itemOf(one);
    this.step(one, at, (member) => [member, { member: time.id("person", member), status, ...note, ...item }]);
  }

  /** Trouble with a computer is trouble with the one of the requester. */
  private itemOf({ scenario, requester }: Case): Fields {
    const name = `laptop-${requester}`;
    const isKnown = scenario.about === "computer" && scenario.category === "incident" && name in configurationItemRows;
    return isKnown ? { ci: this.time.id("ci", name) } : {};
  }

  /** Asks the requester; answers when the answer comes, or null when none does. */
  private ask(one: Case, at: Date, words: Map<string, string>): Date | null {
    const { chance } = this;
    const question = said(one.scenario.ask ?? "", chance, words);
    this.step(one, at, (member) => [member, { status: "waiting_for_customer", note: question }]);
    if (chance.happens(0.12)) {
      const end = atWork(later(at, chance.between(7, 10) * 1440));
      const note = said(asides.silence, chance, words);
      this.step(one, end, (member) => [member, { status: "completed", completion_reason: "no_reply", note }]);
      return null;
    }
    const answered = later(at, chance.minutes(150, 6000));
    const text = said(one.scenario.answer ?? "Yes.", chance, words);
    this.say(one, answered, text);
    return answered;
  }

  /** The requester writes a note. */
  private say(one: Case, at: Date, text: string): void {
    this.time.plan(
      at,
      `note of ${one.requester}`,
      async () => {
        if (one.id === null || one.elsewhere) return;
        await this.time.create(one.requester, at, one.account, "note", { text }, { request: one.id });
      },
      one.lane,
    );
  }

  private withdraw(one: Case, at: Date, words: Map<string, string>): void {
    this.say(one, at, said(asides.withdrawn, this.chance, words));
    this.step(one, later(at, this.chance.between(4, 90)), (member) => [
      member,
      { member: this.time.id("person", member), status: "completed", completion_reason: "withdrawn" },
    ]);
  }

  private complete(one: Case, at: Date, words: Map<string, string>, who: string | null, asked: boolean): void {
    const { chance, time } = this;
    const { scenario, account } = one;
    const completion_reason = chance.weighted(scenario.category === "incident" ? reasons : reasonsOfRequests);
    const isIt = account === "quillhaven-it";
    const fields: Record<string, unknown> = {
      status: "completed",
      completion_reason,
      note: said(scenario.fix, chance, words),
      ...(isIt && scenario.category === "incident" ? { closure_code: chance.pick(closures) } : {}),
      ...(scenario.article !== undefined && chance.happens(0.35)
        ? { knowledge_article: time.id("knowledge_article", scenario.article) }
        : {}),
      ...(chance.happens(0.3) ? { time_spent: chance.between(1, 8) * 15 } : {}),
    };
    this.step(one, at, (member) => {
      const by = who ?? member;
      return [by, { ...fields, member: time.id("person", by) }];
    });
    if (completion_reason !== "solved" || asked || !chance.happens(0.04)) return;
    const back = atWork(later(at, chance.minutes(600, 4000)));
    this.say(one, back, said(asides.reopened, chance, words));
    const taken = atWork(later(back, chance.minutes(60, 900)));
    this.step(one, taken, (member) => [member, { status: "in_progress" }]);
    const note = said(asides.again, chance, words);
    this.step(one, atWork(later(taken, chance.minutes(300, 6000))), (member) => [
      member,
      { status: "completed", completion_reason: "solved", note },
    ]);
  }
}
