import { setTimeout as pause } from "node:timers/promises";
import { longestReliabilityTest, until } from "../waiting.ts";
import { Receiver } from "../webhooks/receiver.ts";
import { DrillClients, type LiveServer } from "./drill-clients.ts";
import { countDrill, type DrillCount, type Query } from "./drill-counts.ts";

// Several processes of the service on one database, as on several machines. While clients write, import, wait for timers and
// trigger rules, one process after another dies and restarts. At the end everything is counted.

/** A slow restart may use up all the time, so at least this many kills are made. */
const leastKills = 2;

/** A process that can be killed. */
export type DrillProcess = { base: string; kill(): Promise<void> };

export type DrillOptions = {
  query: Query;
  /** Starts a process with its own address and data folder. */
  start(number: number): Promise<DrillProcess>;
  processes: number;
  /** minimum number of changes that send a message */
  events: number;
  /** minimum duration of the kills; on a slow machine longer, until two processes have died */
  milliseconds: number;
  /** maximum time between two kills */
  betweenKills: number;
  clients: number;
  /** per import */
  importRows: number;
  random: () => number;
  say?: (line: string) => void;
};

export type DrillResult = { kills: number; counts: DrillCount[] };

export class ProcessDrill {
  private readonly options: DrillOptions;
  private readonly receiver = new Receiver();
  private readonly processes: (DrillProcess | null)[] = [];
  private clients: DrillClients | null = null;
  private kills = 0;

  constructor(options: DrillOptions) {
    this.options = options;
  }

  async prepare(): Promise<void> {
    const { processes, start, query } = this.options;
    await this.receiver.listen();
    await query(
      `INSERT INTO webhooks (account_id, name, event, uri, receiver, verified, created_at, updated_at)
       SELECT 'widget-it', event, event, $1, $2, true, now(), now() FROM unnest($3::text[]) event`,
      [`${this.receiver.url}/drill`, this.receiver.url, ["team.create", "team.update"]],
    );
    // The first process creates what all of them need, such as the instance's secret.
    this.processes.push(await start(0));
    const others = Array.from({ length: processes - 1 }, (_, index) => start(index + 1));
    this.processes.push(...(await Promise.all(others)));
  }

  async end(): Promise<void> {
    this.clients?.stop();
    await Promise.all(this.processes.map((one) => one?.kill()));
    await this.receiver.close();
  }

  async run(): Promise<DrillResult> {
    const { clients, events, importRows, milliseconds, query, random } = this.options;
    const load = new DrillClients({
      ...{ count: clients, importRows, random, every: (milliseconds * clients) / events },
      pickServer: () => this.pickServer(),
    });
    this.clients = load;
    await load.createRule();
    const writing = load.write();
    writing.catch(() => {});
    await Promise.race([this.killProcesses(() => load.writes < events || this.kills < leastKills), writing]);
    load.stop();
    await writing;
    await this.settle();
    const counts = await countDrill(query, load.known, this.receiver.messages);
    return { kills: this.kills, counts };
  }

  private pickServer(): LiveServer | null {
    const alive = this.processes.filter((one) => one !== null);
    return alive[Math.floor(this.options.random() * alive.length)] ?? null;
  }

  private async killProcesses(mustGoOn: () => boolean): Promise<void> {
    const { milliseconds, betweenKills, random, start, say } = this.options;
    let reported = performance.now();
    for (const end = performance.now() + milliseconds; performance.now() < end || mustGoOn(); ) {
      await pause(random() * betweenKills);
      const number = Math.floor(random() * this.processes.length);
      const victim = this.processes[number] as DrillProcess;
      this.processes[number] = null;
      await victim.kill();
      this.kills++;
      this.processes[number] = await start(number);
      if (performance.now() - reported < 30_000) continue;
      reported = performance.now();
      say?.(`${this.kills} times kill -9, ${this.clients?.describe()}`);
    }
  }

  /** Waits until no work is left. Jobs of killed processes wait until their leases expire. */
  private async settle(): Promise<void> {
    const { query } = this.options;
    const pending = `SELECT 'message' AS what FROM webhook_deliveries WHERE state = 'waiting'
UNION ALL SELECT 'import' FROM imports WHERE finished_at IS NULL
UNION ALL SELECT kind FROM jobs WHERE kind IN ('automation', 'timer', 'import') AND dead_at IS NULL
UNION ALL SELECT 'timer' FROM requests WHERE status = 'waiting_for' AND waiting_until < now() + interval '1 hour'`;
    let left: string[] = [];
    const isSettled = async () => {
      left = (await query<{ what: string }>(`SELECT DISTINCT what FROM (${pending}) p`)).map(({ what }) => what);
      return left.length === 0;
    };
    await until(isSettled, { every: 200, longest: longestReliabilityTest, what: () => `${left.join(", ")} left` });
  }
}
