// Bulk loading: indexes are dropped before and built afterwards, which is faster than updating them row by row.

/** Statements to run before: drop all indexes except unique ones and those that hooks query. */
export const buildIndexDrops = (tables: readonly string[]): readonly string[] => [
  // The index of a partitioned table is described without those of its partitions, and must be built for them, too.
  `CREATE TEMP TABLE set_aside AS SELECT indexname, replace(indexdef, ' ON ONLY ', ' ON ') AS indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = ANY ('{${tables.join(",")}}') AND indexdef LIKE 'CREATE INDEX%' AND indexname NOT LIKE '%\\_sought\\_%'`,
  "DO $$ DECLARE one record; BEGIN FOR one IN SELECT indexname FROM set_aside LOOP EXECUTE format('DROP INDEX %I', one.indexname); END LOOP; END $$",
];

/** Statements to run afterwards, on the same connection. */
export const recreateIndexes: readonly string[] = [
  "DO $$ DECLARE one record; BEGIN FOR one IN SELECT indexdef FROM set_aside LOOP EXECUTE one.indexdef; END LOOP; END $$",
  "DROP TABLE set_aside",
];
