import type { RecordType } from "../../../records/vocabulary/index.ts";

// The counter of changes of a row, which answers show as X-Revision and If-Match compares. The timestamp of the last change
// is no substitute: two changes within a second have the same one.

export const revisionColumn = "revision";

/** Journals never change, virtual types have no rows, and the account itself is changed by the command line alone. */
export const countsRevisions = ({ storage, routes }: RecordType): boolean =>
  !storage.virtual && !storage.journal && !routes.singleton;

export const revisionDefinition = "integer NOT NULL DEFAULT 1";

/** An overlay counts its own changes; a participant sees the sum, so that either part makes it grow. */
export const overlayRevisionDefinition = "integer NOT NULL DEFAULT 0";

/** The assignment that every UPDATE of a row contains. */
export const incrementRevision = `${revisionColumn} = ${revisionColumn} + 1`;
