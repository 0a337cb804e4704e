import { ClientGone, Overloaded } from "../../base/errors.ts";
import {
  Connection,
  type ConnectionSettings,
  type ReadMemory,
  type Row,
  type Statement,
  type Value,
} from "../../postgres/connection.ts";
import { FairQueue, type Owner } from "./fair-queue.ts";

// Reads that may take seconds. Each has a connection of its own while it runs, so none waits behind another on the same
// connection, and the read of a client that has gone away can be canceled in the database.

/** The connection of an HTTP client. */
export type ClientConnection = {
  isGone(): boolean;
  /** Calls the function when the client goes away; returns a function that ends this. */
  onGone(act: () => void): () => void;
};

/** On whose behalf a read runs. */
export type ReadOwner = Owner & {
  readonly zone: string;
  readonly client?: ClientConnection;
  readonly memory?: ReadMemory;
};

export type LaneLimits = {
  connections: number;
  /** connections that one person, one account may use at a time */
  perPerson: number;
  perAccount: number;
  waiting: number;
  waitingPerPerson: number;
  /** milliseconds until a read that waits is refused */
  wait: number;
};

type PendingRead = {
  owner: ReadOwner;
  statement: Statement;
  values: readonly Value[];
  observe: (milliseconds: number) => void;
  resolve(rows: Row[]): void;
  reject(error: unknown): void;
  /** set while it runs */
  connection: Connection | null;
  cancelling: Promise<unknown> | null;
};

export class ExpensiveLane {
  private readonly limits: LaneLimits;
  private readonly connect: () => Connection;
  private readonly cancelBackend: (backend: number) => Promise<unknown>;
  private readonly queue: FairQueue<PendingRead>;
  private readonly idle: Connection[] = [];
  private readonly open = new Set<Connection>();
  private readonly runningPerPerson = new Map<number, number>();
  private readonly runningPerAccount = new Map<string, number>();

  /** `cancelBackend` cancels what a process of PostgreSQL is running. */
  constructor(
    url: string,
    settings: ConnectionSettings,
    limits: LaneLimits,
    cancelBackend: (backend: number) => Promise<unknown>,
  ) {
    this.limits = limits;
    this.connect = () => new Connection(url, settings);
    this.cancelBackend = cancelBackend;
    this.queue = new FairQueue(limits);
  }

  read(
    owner: ReadOwner,
    statement: Statement,
    values: readonly Value[],
    observe: (milliseconds: number) => void,
  ): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (owner.client?.isGone()) return reject(new ClientGone());
      let timer: NodeJS.Timeout | null = null;
      const finish = <A>(settle: (answer: A) => void) => {
        return (answer: A) => {
          if (timer !== null) clearTimeout(timer);
          stopWatching?.();
          settle(answer);
        };
      };
      const read: PendingRead = {
        ...{ owner, statement, values, observe, connection: null, cancelling: null },
        resolve: finish(resolve),
        reject: finish(reject),
      };
      const stopWatching = owner.client?.onGone(() => this.cancel(read));
      this.queue.push(read)?.reject(new Overloaded("too many expensive reads wait"));
      this.startWaiting();
      if (read.connection === null)
        timer = setTimeout(() => {
          if (this.queue.remove(read)) read.reject(new Overloaded("an expensive read waited too long"));
        }, this.limits.wait);
    });
  }

  /** Connections that run a statement keep it; the next one opens a new connection. */
  retire(): void {
    for (const connection of this.open) connection.retire();
  }

  abandon(): void {
    for (const connection of this.open) connection.abandon("08006");
  }

  async close(): Promise<void> {
    await Promise.all([...this.open].map((connection) => connection.close()));
  }

  private startWaiting(): void {
    while (this.idle.length > 0 || this.open.size < this.limits.connections) {
      const read = this.queue.next({
        account: (account) => (this.runningPerAccount.get(account) ?? 0) < this.limits.perAccount,
        person: ({ person }) => (this.runningPerPerson.get(person) ?? 0) < this.limits.perPerson,
      });
      if (read === null) return;
      let connection = this.idle.pop();
      if (connection === undefined) {
        connection = this.connect();
        this.open.add(connection);
      }
      void this.run(read, connection);
    }
  }

  private async run(read: PendingRead, connection: Connection): Promise<void> {
    const { owner, statement, values, observe } = read;
    read.connection = connection;
    addTo(this.runningPerPerson, owner.person, 1);
    addTo(this.runningPerAccount, owner.account, 1);
    try {
      read.resolve(await connection.query(statement, values, owner.zone, undefined, { observe, memory: owner.memory }));
    } catch (error) {
      read.reject(read.cancelling === null ? error : new ClientGone());
    }
    // A cancellation that arrives late must not hit the next statement of the connection.
    await read.cancelling;
    addTo(this.runningPerPerson, owner.person, -1);
    addTo(this.runningPerAccount, owner.account, -1);
    this.idle.push(connection);
    this.startWaiting();
  }

  private cancel(read: PendingRead): void {
    if (this.queue.remove(read)) read.reject(new ClientGone());
    const { connection } = read;
    if (connection === null || connection.backend === null || read.cancelling !== null) return;
    read.cancelling = this.cancelBackend(connection.backend).catch(() => connection.discard());
  }
}

function addTo<K>(counts: Map<K, number>, key: K, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
