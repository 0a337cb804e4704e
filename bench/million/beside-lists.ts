import type { Reader } from "./prepare.ts";

// Reads by id while sixteen clients ask for the most expensive lists there are, as fast as they are answered.

const seconds = 20;
const hammering = 16;
const readsAtATime = 4;

/** No list is known to the cache of totals twice: each asks for another range. */
const expensive: readonly ((n: number) => string)[] = [
  (n) => `/requests?created_at=>2026-01-01T00:00:${String(n % 60).padStart(2, "0")}&sort=subject&per_page=100`,
  (n) => `/notes?created_at=>2026-01-01T00:00:${String(n % 60).padStart(2, "0")}`,
  () => "/requests/summary?by=completed_at&every=day&measure=median:resolution_duration",
];

export async function measureBesideLists(base: string, readers: readonly Reader[], rows: number): Promise<string> {
  const [administrator, specialist] = readers as readonly [Reader, Reader, ...Reader[]];
  const read = async (): Promise<{ p50: number; p95: number; count: number }> => {
    const times: number[] = [];
    const end = performance.now() + seconds * 1000;
    const client = async (first: number) => {
      for (let n = first; performance.now() < end; n += 7919) {
        const begun = performance.now();
        const response = await fetch(`${base}/requests/${1 + (n % rows)}`, { headers: administrator.headers });
        await response.text();
        if (response.status !== 200) throw new Error(`a read by id: ${response.status}`);
        times.push(performance.now() - begun);
      }
    };
    await Promise.all(Array.from({ length: readsAtATime }, (_, n) => client(n * 1013)));
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.floor(times.length * share)] as number;
    return { p50: at(0.5), p95: at(0.95), count: times.length };
  };
  const alone = await read();
  const stopped = { yes: false };
  const statuses = new Map<number, number>();
  const hammer = async (first: number) => {
    for (let n = first; !stopped.yes; n += hammering) {
      const path = (expensive[n % expensive.length] as (n: number) => string)(n);
      const { headers } = n % 2 === 0 ? administrator : specialist;
      const response = await fetch(`${base}${path}`, { headers });
      await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  };
  const clients = Array.from({ length: hammering }, (_, n) => hammer(n));
  const beside = await read();
  stopped.yes = true;
  await Promise.all(clients);
  const show = ({ p50, p95, count }: typeof alone) => `${p50.toFixed(1)} | ${p95.toFixed(1)} | ${count / seconds}`;
  return [
    "| Reads by id | p50 ms | p95 ms | reads /s |",
    "|---|---|---|---|",
    `| alone | ${show(alone)} |`,
    `| beside ${hammering} clients that ask for expensive lists | ${show(beside)} |`,
    `answers to the expensive lists: ${[...statuses].map(([status, count]) => `${count} times ${status}`).join(", ")}`,
  ].join("\n");
}
