// What a Gantt chart shows: pieces of work with a start, an end and predecessors. Moments are milliseconds.

export type GanttState = "waiting" | "active" | "done" | "failed" | "canceled";

export type GanttItem = {
  id: number;
  name: string;
  /** null: not planned yet */
  start: number | null;
  end: number | null;
  kind: "bar" | "milestone" | "group";
  state: GanttState;
  predecessors: readonly number[];
  /** 0 to 1: how much of it is done */
  progress?: number;
  /** somebody works on it */
  isBegun?: boolean;
  /** it decides the end of the whole */
  isCritical?: boolean;
  /** it happens only when something fails */
  isConditional?: boolean;
  /** its start can be moved, its end can be moved */
  mayMove?: boolean;
  mayResize?: boolean;
  /** as it was planned once */
  baseline?: { start: number; end: number };
};

export type Span = { start: number; end: number };
/** What a person is about to change; the owner of the chart asks what would follow, and saves. */
export type GanttEdit = Span & { id: number; what: "move" | "resize" };

/** A period or a moment of the whole chart. `closed`: nobody works in it. */
export type GanttMark = { key: string; start: number; end?: number; label: string; kind?: "closed" };

/** What the owner of a chart may ask of it. */
export type GanttHandle = { showNow(): void };

export type GanttScale = "days" | "weeks" | "months";
export const ganttScales: readonly GanttScale[] = ["days", "weeks", "months"];
