// What is measured. Both servers answer the same paths; people stand in for requests until those exist.

export type Call = { method: string; path: string; body?: string };
export type Workload = { name: string; what: string; budget: number; next(random: () => number, people: number): Call };

const moment = (minutes: number) =>
  new Date(Date.parse("2026-01-01T00:00:00Z") + minutes * 60_000).toISOString().slice(0, 19);
let created = 0;

export const workloads: readonly Workload[] = [
  {
    name: "W1",
    what: "one record by id",
    budget: 0.7,
    next: (random, people) => ({ method: "GET", path: `/people/${1 + Math.floor(random() * people)}` }),
  },
  {
    name: "W2",
    what: "25 newest enabled of an organization",
    budget: 0.7,
    next: (random) => ({
      method: "GET",
      path: `/people/enabled?organization=${1 + Math.floor(random() * 50)}&sort=-id&per_page=25`,
    }),
  },
  {
    name: "W3",
    what: "set and range filter, sorted, 100 rows, with total",
    budget: 0.7,
    next: (random, people) => {
      const from = Math.floor(random() * people * 0.7);
      const first = 1 + Math.floor(random() * 45);
      const range = `>=${moment(from)}Z<=${moment(from + Math.floor(people * 0.2))}Z`;
      return {
        method: "GET",
        path: `/people?organization=${first},${first + 1},${first + 2}&updated_at=${encodeURIComponent(range)}&sort=updated_at&per_page=100`,
      };
    },
  },
  {
    name: "W4",
    what: "create a record",
    budget: 0.4,
    next: (random) => {
      const n = ++created;
      const body = {
        name: `New ${n}`,
        primary_email: `new${n}.${process.pid}.${Math.floor(random() * 1e9)}@bench.example`,
        organization_id: 1 + (n % 50),
        site_id: 1 + (n % 20),
        job_title: "Newcomer",
      };
      return { method: "POST", path: "/people", body: JSON.stringify(body) };
    },
  },
  {
    name: "W5",
    what: "change a record",
    budget: 0.4,
    next: (random, people) => ({
      method: "PATCH",
      path: `/people/${1 + Math.floor(random() * people)}`,
      body: JSON.stringify({ job_title: `Job ${Math.floor(random() * 1e6)}` }),
    }),
  },
];
