// How many connections a process opens at most, by lane. A server has a limit for all of its clients, so every process gets a
// share of it (D-786).

export type ConnectionCounts = {
  /** reads by key */
  readers: number;
  /** lists that are expected to be fast */
  lists: number;
  expensive: number;
  /** exports */
  snapshots: number;
  /** changes */
  writers: number;
};

type Lane = keyof ConnectionCounts;

/** More would not make a process faster: it uses one core. */
export const fullCounts: ConnectionCounts = { readers: 4, lists: 3, expensive: 4, snapshots: 3, writers: 8 };
/** A job that changes something must not hold up every other change. */
const leastCounts: ConnectionCounts = { readers: 1, lists: 1, expensive: 1, snapshots: 1, writers: 2 };
const lanes = Object.keys(fullCounts) as Lane[];

/** One connection listens for notifications. */
const listeners = 1;
const sum = (counts: ConnectionCounts): number => lanes.reduce((total, lane) => total + counts[lane], listeners);

export const fullShare = sum(fullCounts);
export const leastShare = sum(leastCounts);

/** Divides the connections of a process among its lanes, in proportion to what each would have with enough of them. */
export function divideShare(share: number): ConnectionCounts {
  const counts = { ...leastCounts };
  for (let left = Math.min(share, fullShare) - leastShare; left > 0; left--) {
    const [neediest] = lanes.toSorted(
      (one, other) => counts[one] / fullCounts[one] - counts[other] / fullCounts[other],
    );
    counts[neediest as Lane]++;
  }
  return counts;
}

/** Connections for commands, migrations, and those that are replaced while they still run a statement. */
export const spareConnections = 3;

export type ProcessShares = { workers: number; share: number };

/**
 * How many workers a limit of connections allows, and the share of each. Beside several workers there is room for one more
 * process: the one that prepares the database, or the successor of a worker that is replaced. Null: not even one process.
 */
export function shareConnections(limit: number, wantedWorkers: number): ProcessShares | null {
  const available = limit - spareConnections;
  for (let workers = wantedWorkers; workers > 0; workers--) {
    const share = Math.floor(available / countProcesses(workers));
    if (share >= leastShare) return { workers, share: Math.min(share, fullShare) };
  }
  return null;
}

/** The limit with which every process gets a full share. */
export const getFullLimit = (workers: number): number => fullShare * countProcesses(workers) + spareConnections;

const countProcesses = (workers: number): number => (workers === 1 ? 1 : workers + 1);
