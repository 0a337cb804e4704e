import type { Clock } from "../../base/clock.ts";
import { TooManyRequests } from "../../base/errors.ts";
import { buildAddressKey } from "../sessions/sign-in-delays.ts";
import type { ClientCredentials } from "./clients.ts";

// Slows down guessing of client secrets, per client and address, before anything asks the database. The counts are in the
// memory of each process: a secret of 660 bits is not guessed, the delay only makes trying cheap for us.

const freeFailures = { client: 10, address: 50 };
const firstWaitSeconds = 5;
const longestWaitSeconds = 900;
const forgottenAfterSeconds = 3600;
const maxEntries = 20_000;

type Failures = { count: number; lastAt: number; blockedUntil: number };

export class ClientDelays {
  private readonly clock: Clock;
  private readonly failures = new Map<string, Failures>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Runs `authenticate` unless the client or the address has to wait; only refused secrets count. */
  async guard<T>(
    { id }: ClientCredentials,
    address: string,
    authenticate: () => Promise<T>,
    isRefusal: (error: unknown) => boolean,
  ): Promise<T> {
    const network = buildAddressKey(address).key;
    const clientKey = `${network} ${id.slice(0, 100)}`;
    this.requireNoWait(network);
    this.requireNoWait(clientKey);
    try {
      const result = await authenticate();
      this.failures.delete(clientKey);
      return result;
    } catch (error) {
      if (isRefusal(error)) {
        this.countFailure(network, freeFailures.address);
        this.countFailure(clientKey, freeFailures.client);
      }
      throw error;
    }
  }

  private requireNoWait(key: string): void {
    const milliseconds = (this.failures.get(key)?.blockedUntil ?? 0) - this.clock.now().getTime();
    if (milliseconds > 0) throw new TooManyRequests(Math.ceil(milliseconds / 1000));
  }

  private countFailure(key: string, free: number): void {
    const now = this.clock.now().getTime();
    const before = this.failures.get(key);
    const isForgotten = before === undefined || now - before.lastAt > forgottenAfterSeconds * 1000;
    const count = isForgotten ? 1 : before.count + 1;
    const wait = count < free ? 0 : Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(count - free, 20));
    this.failures.delete(key); // so that the map is in the order of the last failures
    this.failures.set(key, { count, lastAt: now, blockedUntil: now + wait * 1000 });
    for (const oldest of this.failures.keys()) {
      if (this.failures.size <= maxEntries) break;
      this.failures.delete(oldest);
    }
  }
}
