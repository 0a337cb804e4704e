import { byDefault, choice, datetime, integer, opt, req, ro, string, timestamps } from "../vocabulary/index.ts";

// Phases of workflows and of projects have the same fields, and so have those of their templates. All of them appear in
// lists, in their order.

const nameAndPosition = {
  name: req(string(50)),
  position: opt(integer(), "order in the Gantt chart; phases without a position come last"),
};

export const templatePhaseFields = { ...nameAndPosition, ...timestamps };

// biome-ignore format: a table keeps its columns
export const phaseFields = <const P extends "workflow" | "project">(of: P) => ({
  ...nameAndPosition,
  status:       ro(choice(`${of}_phase.status`), byDefault("registered")),
  started_at:   ro(datetime, "when the first task of the phase changed from registered to a status other than canceled"),
  completed_at: ro(datetime),
  ...timestamps,
});
