import type { ChangeOrigin } from "../../records/journal/change-origins.ts";
import { toIanaZone } from "../../server/base/time-zones.ts";
import { statement, type Transaction } from "../../server/database/database.ts";
import { type Account, buildCaller, type Caller, type Person } from "../../server/engine/caller.ts";
import { networks } from "../data/sites.ts";

// Builds callers for the people of the demo company: they act with their own rights, as through the API.

const selectPeople = statement(
  "SELECT id, name, account_id, locale, time_zone, organization_id, site_id FROM people ORDER BY id",
);
const selectCities = statement("SELECT id, city FROM sites");
const selectRoles = statement("SELECT person_id, account_id, role FROM permissions");

const toNumber = (text: string | null | undefined): number | null => (text == null ? null : Number(text));

/** All people work in a browser, at a desk in their own site. */
function buildOrigin(person: number, city: string | null | undefined): ChangeOrigin {
  const network = networks.find(([, name]) => name === city);
  if (network === undefined) return { kind: "browser" };
  const address = `${network[0].split(".").slice(0, 2).join(".")}.${Math.floor(person / 200)}.${20 + (person % 200)}`;
  return { kind: "browser", place: network[1], address };
}

export class DemoCallers {
  private readonly people: ReadonlyMap<number, Person>;
  private readonly origins: ReadonlyMap<number, ChangeOrigin>;

  private constructor(people: ReadonlyMap<number, Person>, origins: ReadonlyMap<number, ChangeOrigin>) {
    this.people = people;
    this.origins = origins;
  }

  static async load(tx: Transaction): Promise<DemoCallers> {
    const roles = new Map<number, Map<string, Set<string>>>();
    for (const [person, account, role] of (await tx.query(selectRoles)) as [string, string, string][]) {
      const held = roles.get(Number(person)) ?? new Map<string, Set<string>>();
      roles.set(Number(person), held.set(account, (held.get(account) ?? new Set<string>()).add(role)));
    }
    const rows = await tx.query(selectPeople);
    const cities = new Map((await tx.query(selectCities)).map(([site, city]) => [site, city]));
    const origins = rows.map(
      ([id, , , , , , site]) => [Number(id), buildOrigin(Number(id), cities.get(site))] as const,
    );
    const people = rows.map(([id, name, account, locale, zoneName, organization, site]) => ({
      id: Number(id),
      name: name as string,
      account: account as string,
      locale: locale as string,
      zone: toIanaZone(zoneName as string),
      zoneName: zoneName as string,
      organization: toNumber(organization),
      site: toNumber(site),
      roles: roles.get(Number(id)) ?? new Map<string, Set<string>>(),
    }));
    return new DemoCallers(new Map(people.map((person) => [person.id, person])), new Map(origins));
  }

  getCaller(id: number, account: Account, now: Date): Caller {
    const me = this.people.get(id);
    if (me === undefined) throw new Error(`There is no person ${id}.`);
    return buildCaller(me, null, account, {
      ...{ zone: me.zone, now, source: "" },
      changeOrigin: this.origins.get(id) ?? { kind: "browser" },
    });
  }
}
