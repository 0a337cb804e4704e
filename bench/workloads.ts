import { recentRequests } from "./load-data.ts";

// The measured workloads. Both servers serve the same paths.

/** `fromRoot`: the path is below the host, not below the base of the REST API */
export type Call = { method: string; path: string; body?: string; fromRoot?: true };

/** The address of a call. */
export const buildAddress = (base: string, { path, fromRoot }: Pick<Call, "path" | "fromRoot">): string =>
  fromRoot ? new URL(path, base).href : base + path;

export type Workload = {
  name: string;
  what: string;
  /** how many times the processor time of the bare server ours may take */
  budget: number;
  next(random: () => number, requests: number): Call;
};

const formatMoment = (minutes: number) =>
  new Date(Date.parse("2026-01-01T00:00:00Z") + minutes * 60_000).toISOString().slice(0, 19);
const pickNumber = (random: () => number, of: number): number => 1 + Math.floor(random() * of);

const requestsOfTeam = `query($team: ID!) {
  requests(first: 25, view: open, filter: {team: {values: [$team]}}, order: {field: requestId, direction: desc}) { nodes {
    id requestId subject category impact status createdAt
    team { id name } member { id name } requestedBy { id name } requestedFor { id name } organization { id name }
    serviceInstance { id name }
    notes(last: 3) { nodes { id text createdAt person { id name } } }
  } }
}`;

export const workloads: readonly Workload[] = [
  {
    name: "W1",
    what: "one request by id",
    budget: 1.2,
    next: (random, requests) => ({ method: "GET", path: `/requests/${pickNumber(random, requests)}` }),
  },
  {
    name: "W2",
    what: "25 newest open requests of a team",
    budget: 1.2,
    next: (random) => ({
      method: "GET",
      path: `/requests/open?team=${pickNumber(random, 50)}&sort=-id&per_page=25`,
    }),
  },
  {
    name: "W3",
    what: "status set and updated_at range, sorted by updated_at, 100 rows, with total",
    budget: 1.2,
    next: (random, requests) => {
      const from = requests - recentRequests + Math.floor((random() * recentRequests) / 2);
      const range = `>=${formatMoment(from)}Z<=${formatMoment(from + recentRequests / 2)}Z`;
      return {
        method: "GET",
        path: `/requests?status=assigned,in_progress,waiting_for_customer&updated_at=${encodeURIComponent(range)}&sort=updated_at&per_page=100`,
      };
    },
  },
  {
    name: "W4",
    what: "create a request",
    budget: 1.8,
    next: (random) => ({
      method: "POST",
      path: "/requests",
      body: JSON.stringify({
        subject: `Printer ${Math.floor(random() * 1e6)} is offline`,
        category: "incident",
        impact: "medium",
        requested_for_id: pickNumber(random, 1000),
        service_instance_id: pickNumber(random, 20),
      }),
    }),
  },
  {
    name: "W5",
    what: "change a status",
    budget: 1.8,
    next: (random, requests) => ({
      method: "PATCH",
      path: `/requests/${requests + 1 - pickNumber(random, Math.min(requests, recentRequests))}`,
      body: JSON.stringify({ status: random() < 0.5 ? "in_progress" : "accepted" }),
    }),
  },
  {
    name: "W7",
    what: "25 newest open requests of a team with 6 references and 3 notes each, through the graph",
    budget: 2,
    next: (random) => ({
      method: "POST",
      path: "/graphql",
      fromRoot: true,
      body: JSON.stringify({ query: requestsOfTeam, variables: { team: pickNumber(random, 50) } }),
    }),
  },
];
