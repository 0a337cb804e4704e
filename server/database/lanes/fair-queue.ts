// Round robin over accounts, and within an account over its people: however much one of them has waiting, the next turn
// belongs to the others.

/** The owner whose turn a waiting item uses. */
export type Owner = { readonly account: string; readonly person: number };

export class FairQueue<T extends { readonly owner: Owner }> {
  // A Map keeps the order of insertion: an owner that had a turn is inserted again, behind the others.
  private readonly accounts = new Map<string, Map<number, T[]>>();
  private readonly maxWaiting: number;
  private readonly maxPerPerson: number;
  private waiting = 0;

  constructor(limits: { waiting: number; waitingPerPerson: number }) {
    this.maxWaiting = limits.waiting;
    this.maxPerPerson = limits.waitingPerPerson;
  }

  get size(): number {
    return this.waiting;
  }

  /** Adds an item; returns the item that is rejected: this one, or the newest of the owner with the most waiting items. */
  push(item: T): T | null {
    const { account, person } = item.owner;
    const own = this.accounts.get(account)?.get(person);
    if (own !== undefined && own.length >= this.maxPerPerson) return item;
    let displaced: T | null = null;
    if (this.waiting >= this.maxWaiting) {
      const longest = this.findLongest();
      if (longest.length <= (own?.length ?? 0) + 1) return item;
      displaced = longest.at(-1) as T;
      this.remove(displaced);
    }
    let people = this.accounts.get(account);
    if (people === undefined) {
      people = new Map();
      this.accounts.set(account, people);
    }
    const items = people.get(person);
    if (items === undefined) people.set(person, [item]);
    else items.push(item);
    this.waiting++;
    return displaced;
  }

  /** Takes the next item whose account and person may have another turn now. */
  next(mayHaveTurn: { account(account: string): boolean; person(owner: Owner): boolean }): T | null {
    for (const [account, people] of this.accounts) {
      if (!mayHaveTurn.account(account)) continue;
      for (const [person, items] of people) {
        if (!mayHaveTurn.person({ account, person })) continue;
        const item = items[0] as T;
        this.remove(item);
        if (people.delete(person)) people.set(person, items);
        if (this.accounts.delete(account)) this.accounts.set(account, people);
        return item;
      }
    }
    return null;
  }

  /** False: the item does not wait here any more. */
  remove(item: T): boolean {
    const { account, person } = item.owner;
    const people = this.accounts.get(account);
    const items = people?.get(person);
    const index = items?.indexOf(item) ?? -1;
    if (people === undefined || items === undefined || index < 0) return false;
    items.splice(index, 1);
    this.waiting--;
    if (items.length === 0) people.delete(person);
    if (people.size === 0) this.accounts.delete(account);
    return true;
  }

  private findLongest(): readonly T[] {
    let longest: readonly T[] = [];
    for (const people of this.accounts.values())
      for (const items of people.values()) if (items.length > longest.length) longest = items;
    return longest;
  }
}
