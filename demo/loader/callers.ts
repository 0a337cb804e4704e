import { toIanaZone } from "../../server/base/time-zones.ts";
import { type Account, buildCaller, type Caller, type Person } from "../../server/engine/caller.ts";
import { statement, type Transaction } from "../../server/storage/database.ts";

// Builds callers for the people of the demo company: they act with their own rights, as through the API.

const selectPeople = statement(
  "SELECT id, name, account_id, locale, time_zone, organization_id, site_id FROM people ORDER BY id",
);
const selectRoles = statement("SELECT person_id, account_id, role FROM permissions");

const toNumber = (text: string | null | undefined): number | null => (text == null ? null : Number(text));

export class DemoCallers {
  private readonly people: ReadonlyMap<number, Person>;

  private constructor(people: ReadonlyMap<number, Person>) {
    this.people = people;
  }

  static async load(tx: Transaction): Promise<DemoCallers> {
    const roles = new Map<number, Map<string, Set<string>>>();
    for (const [person, account, role] of (await tx.query(selectRoles)) as [string, string, string][]) {
      const held = roles.get(Number(person)) ?? new Map<string, Set<string>>();
      roles.set(Number(person), held.set(account, (held.get(account) ?? new Set<string>()).add(role)));
    }
    const people = (await tx.query(selectPeople)).map(([id, name, account, locale, zoneName, organization, site]) => ({
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
    return new DemoCallers(new Map(people.map((person) => [person.id, person])));
  }

  getCaller(id: number, account: Account, now: Date): Caller {
    const me = this.people.get(id);
    if (me === undefined) throw new Error(`There is no person ${id}.`);
    return buildCaller(me, null, account, { zone: me.zone, now, source: "", changeOrigin: { kind: "browser" } });
  }
}
