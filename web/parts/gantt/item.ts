// The items of a Gantt chart: pieces of work with a start, an end and predecessors. Moments are milliseconds.

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
  /** 0 to 1: the completed share */
  progress?: number;
  /** a person works on it */
  isBegun?: boolean;
  /** it is on the critical path */
  isCritical?: boolean;
  /** it runs only if something fails */
  isConditional?: boolean;
  /** whether its start and its end can be moved */
  mayMove?: boolean;
  mayResize?: boolean;
  /** the original plan */
  baseline?: { start: number; end: number };
};

export type Span = { start: number; end: number };
/** The change a person is about to make; the owner of the chart previews its consequences and saves it. */
export type GanttEdit = Span & { id: number; what: "move" | "resize" };

/** A period or a moment of the whole chart. `closed`: a non-working period. */
export type GanttMark = { key: string; start: number; end?: number; label: string; kind?: "closed" };

/** The calls that a chart offers to its owner. */
export type GanttHandle = { showNow(): void };

export type GanttScale = "days" | "weeks" | "months";
export const ganttScales: readonly GanttScale[] = ["days", "weeks", "months"];
