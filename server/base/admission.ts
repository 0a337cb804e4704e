// Counts what each client address and each person has in progress: connections, calls, bytes in memory, and how many calls
// may begin within some seconds. An entrance asks before it does any work. The counts are those of this process.

export type AdmissionLimits = {
  /** 0: unlimited, here and below */
  connectionsPerAddress: number;
  callsPerAddress: number;
  callsPerPerson: number;
  /** bytes of bodies and large answers in memory, of all clients together */
  bytes: number;
  bytesPerAddress: number;
  /** calls per address that may begin within some seconds, at entrances without a limit of their own */
  rate: { requests: number; seconds: number } | null;
};

/** One client address, or one person. */
export type Party = {
  connections: number;
  calls: number;
  bytes: number;
  /** how many calls may begin now */
  allowance: number;
  /** milliseconds of the monotonic clock */
  refilledAt: number;
};

export class Admission {
  readonly limits: AdmissionLimits;
  private readonly addresses = new Map<string, Party>();
  private readonly people = new Map<number, Party>();
  private bytes = 0;

  constructor(limits: AdmissionLimits) {
    this.limits = limits;
  }

  getAddress(address: string): Party {
    return getParty(this.addresses, address, this.limits);
  }

  getPerson(id: number): Party {
    return getParty(this.people, id, this.limits);
  }

  /** False: the address has too many connections. Every connection is closed once, also one that was refused. */
  openConnection(party: Party): boolean {
    party.connections++;
    const { connectionsPerAddress: most } = this.limits;
    return most === 0 || party.connections <= most;
  }

  closeConnection(party: Party): void {
    party.connections--;
  }

  /** False: the party has `most` calls in progress. */
  beginCall(party: Party, most: number): boolean {
    if (most > 0 && party.calls >= most) return false;
    party.calls++;
    return true;
  }

  endCall(party: Party): void {
    party.calls--;
  }

  /** The limit that the bytes would exceed; null: they are reserved. `own`: bytes that the same call has reserved before. */
  reserveBytes(party: Party, count: number, own = 0): "address" | "total" | null {
    const { bytes: most, bytesPerAddress } = this.limits;
    // A single call is always admitted when nothing else is in memory.
    if (bytesPerAddress > 0 && party.bytes > own && party.bytes + count > bytesPerAddress) return "address";
    if (most > 0 && this.bytes > own && this.bytes + count > most) return "total";
    this.addBytes(party, count);
    return null;
  }

  /** Whether so many more bytes could be reserved now. */
  hasRoomFor(count: number): boolean {
    return this.limits.bytes === 0 || this.bytes + count <= this.limits.bytes;
  }

  /** Bytes that are in memory already. */
  addBytes(party: Party, count: number): void {
    party.bytes += count;
    this.bytes += count;
  }

  releaseBytes(party: Party, count: number): void {
    party.bytes -= count;
    this.bytes -= count;
  }

  /** Takes from the allowance of a party; returns the seconds to wait when it is used up, otherwise 0. */
  takeAllowance(party: Party, cost: number, now: number = performance.now()): number {
    const { rate } = this.limits;
    if (rate === null) return 0;
    refill(party, rate, now);
    if (party.allowance < cost)
      return Math.max(1, Math.ceil(((cost - party.allowance) * rate.seconds) / rate.requests));
    party.allowance -= cost;
    return 0;
  }

  /** Returns an allowance that was not needed. */
  giveBackAllowance(party: Party, cost: number): void {
    party.allowance += cost;
  }

  /** Forgets those who have nothing in progress, so that many addresses cannot exhaust the memory. */
  removeIdle(now: number = performance.now()): void {
    for (const parties of [this.addresses, this.people] as Map<unknown, Party>[])
      for (const [key, party] of parties) if (this.isIdle(party, now)) parties.delete(key);
  }

  private isIdle(party: Party, now: number): boolean {
    if (party.connections > 0 || party.calls > 0 || party.bytes > 0) return false;
    const { rate } = this.limits;
    if (rate !== null) refill(party, rate, now);
    return rate === null || party.allowance >= rate.requests;
  }
}

function getParty<K>(parties: Map<K, Party>, key: K, { rate }: AdmissionLimits): Party {
  let party = parties.get(key);
  if (party === undefined) {
    const allowance = rate?.requests ?? 0;
    party = { connections: 0, calls: 0, bytes: 0, allowance, refilledAt: performance.now() };
    parties.set(key, party);
  }
  return party;
}

function refill(party: Party, rate: { requests: number; seconds: number }, now: number): void {
  const gained = ((now - party.refilledAt) / 1000) * (rate.requests / rate.seconds);
  party.allowance = Math.min(rate.requests, party.allowance + gained);
  party.refilledAt = now;
}
