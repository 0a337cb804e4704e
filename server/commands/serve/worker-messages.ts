import type { MetricsSnapshot } from "../../api/http/health.ts";

// Messages between the first process and the workers.

export type ToWorker =
  /**
   * finish running work, then end; `drains`: let clients reconnect elsewhere first, `announces`: let load
   * balancers notice that the whole server ends
   */
  | { kind: "stop"; drains: boolean; announces: boolean }
  | { kind: "count"; question: number }
  | { kind: "counts"; question: number; snapshots: readonly MetricsSnapshot[]; restarts: number };

export type FromWorker =
  | { kind: "ready"; port: number; mailPort: number | null }
  | { kind: "failed"; message: string }
  /** asks for what the other workers have counted */
  | { kind: "count"; question: number }
  | { kind: "counted"; question: number; snapshot: MetricsSnapshot };
