export * from "./conditions.ts";
export * from "./fields.ts";
export type { Placement, Share } from "./groups.ts";
export * from "./operations.ts";
export * from "./record.ts";
export * from "./register.ts";
export * from "./rows.ts";
export * from "./shapes.ts";
export * from "./state-machine.ts";
