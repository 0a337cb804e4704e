// Much is written into a table before anybody reads it: its indexes are dropped, and filled at once when everything is there.

/** Statements to run before: all indexes but those that keep values unique or that rules look into. */
export const buildIndexDrops = (tables: readonly string[]): readonly string[] => [
  `CREATE TEMP TABLE set_aside AS SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = ANY ('{${tables.join(",")}}') AND indexdef LIKE 'CREATE INDEX%' AND indexname NOT LIKE '%\\_sought\\_%'`,
  "DO $$ DECLARE one record; BEGIN FOR one IN SELECT indexname FROM set_aside LOOP EXECUTE format('DROP INDEX %I', one.indexname); END LOOP; END $$",
];

/** Statements to run afterwards, on the same connection. */
export const recreateIndexes: readonly string[] = [
  "DO $$ DECLARE one record; BEGIN FOR one IN SELECT indexdef FROM set_aside LOOP EXECUTE one.indexdef; END LOOP; END $$",
  "DROP TABLE set_aside",
];
