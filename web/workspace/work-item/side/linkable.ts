import type { RecordType } from "../../../../records/vocabulary/index.ts";

/** A kind of record that can be linked: through a link, by a reference of the record, or as a watcher. */
export type Linkable = { name: string; by: "link" | "reference" | "watch"; to: RecordType };
