import type { Clock } from "../base/clock.ts";

// The people who view a record or write about it. Every process learns all of it from notifications; nothing is stored.

export type Doing = "viewing" | "writing";
export type PresenceMessage = {
  account: string;
  type: string;
  id: number;
  person: number;
  name: string;
  doing: Doing | "gone";
};
export type PresentPerson = { id: number; name: string; doing: Doing };

/** A person leaves this long after the last heartbeat. */
const maxAge = 45_000;
const maxRecords = 10_000;

export class PresenceBoard {
  private readonly clock: Clock;
  private readonly byRecord = new Map<string, Map<number, { name: string; doing: Doing; at: number }>>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Whether anything changed that others can see. */
  apply({ account, type, id, person, name, doing }: PresenceMessage): boolean {
    const key = buildKey(account, type, id);
    const people = this.byRecord.get(key) ?? new Map();
    const before = people.get(person);
    if (doing === "gone") {
      people.delete(person);
      if (people.size === 0) this.byRecord.delete(key);
      return before !== undefined;
    }
    if (this.byRecord.size >= maxRecords && !this.byRecord.has(key)) return false;
    people.set(person, { name, doing, at: this.clock.now().getTime() });
    this.byRecord.set(key, people);
    return before?.doing !== doing;
  }

  list(account: string, type: string, id: number): PresentPerson[] {
    const people = this.byRecord.get(buildKey(account, type, id)) ?? new Map();
    return [...people].map(([person, { name, doing }]) => ({ id: person, name, doing }));
  }

  /** The records that have people on them, in an account. */
  listRecords(account: string): { type: string; id: number }[] {
    return [...this.byRecord.keys()].map(parseKey).filter((record) => record.account === account);
  }

  /** Removes people without a recent heartbeat; returns the records they were on. */
  removeExpired(): { account: string; type: string; id: number }[] {
    const oldest = this.clock.now().getTime() - maxAge;
    const changed: string[] = [];
    for (const [key, people] of this.byRecord) {
      const gone = [...people].filter(([, { at }]) => at < oldest).map(([person]) => person);
      for (const person of gone) people.delete(person);
      if (people.size === 0) this.byRecord.delete(key);
      if (gone.length > 0) changed.push(key);
    }
    return changed.map(parseKey);
  }
}

const buildKey = (account: string, type: string, id: number): string => `${account}/${type}/${id}`;
function parseKey(key: string): { account: string; type: string; id: number } {
  const [account = "", type = "", id] = key.split("/");
  return { account, type, id: Number(id) };
}
