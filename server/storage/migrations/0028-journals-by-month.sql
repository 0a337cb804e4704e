-- Journals get a partition for every month (D-682). Rows that are there become one partition as they are, up to the end of
-- this month; nothing is copied.
DO $$
DECLARE
  journal record;
  old_index record;
  indexes text[];
  last_id bigint;
  is_called boolean;
  newest timestamptz;
  bound timestamptz;
BEGIN
  FOR journal IN SELECT * FROM (VALUES
    ('mails', 'created_at', 'integer', ''),
    ('events', 'created_at', 'integer', ''),
    ('webhook_deliveries', 'created_at', 'bigint', ' WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.1)'),
    ('webhook_attempts', 'started_at', 'bigint', '')
  ) AS j (name, moment, id_type, storage) LOOP
    EXECUTE format('SELECT last_value, is_called FROM %I', journal.name || '_id_seq') INTO last_id, is_called;
    -- A month is found by its partition, not by an index of times.
    EXECUTE format('DROP INDEX IF EXISTS %I', journal.name || '_created_at');
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', journal.name, journal.name || '_pkey');
    EXECUTE format('ALTER TABLE %I ALTER COLUMN id DROP IDENTITY', journal.name);
    indexes := '{}';
    FOR old_index IN SELECT c.relname, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid = to_regclass(journal.name) ORDER BY i.indexrelid LOOP
      indexes := indexes || old_index.definition;
      EXECUTE format('ALTER INDEX %I RENAME TO %I', old_index.relname, 'before_' || old_index.relname);
    END LOOP;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', journal.name, journal.name || '_before');

    EXECUTE format('CREATE SEQUENCE %I AS %s', journal.name || '_id_seq', journal.id_type);
    PERFORM setval(to_regclass(journal.name || '_id_seq'), last_id, is_called);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS) PARTITION BY RANGE (%I)', journal.name, journal.name || '_before', journal.moment);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN id SET DEFAULT nextval(%L)', journal.name, journal.name || '_id_seq');
    EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT%s', journal.name || '_other', journal.name, journal.storage);
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (id, account_id, %I)', journal.name, journal.name || '_pkey', journal.moment);
    FOR old_index IN SELECT unnest(indexes) AS definition LOOP
      EXECUTE old_index.definition;
    END LOOP;

    EXECUTE format('SELECT max(%I) FROM %I', journal.moment, journal.name || '_before') INTO newest;
    IF newest IS NULL THEN
      EXECUTE format('DROP TABLE %I', journal.name || '_before');
    ELSE
      bound := (date_trunc('month', greatest(newest, now()) AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC';
      EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (id, account_id, %I)', journal.name || '_before', journal.name || '_before_pkey', journal.moment);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', journal.name, journal.name || '_before', bound);
    END IF;
  END LOOP;
END $$;
