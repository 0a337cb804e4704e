export * from "./conditions.ts";
export * from "./fields.ts";
export * from "./lifecycles.ts";
export * from "./record.ts";
export * from "./rows.ts";
