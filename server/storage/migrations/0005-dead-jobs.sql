ALTER TABLE jobs ADD COLUMN dead_at timestamp(3) with time zone;
CREATE INDEX jobs_dead ON jobs (dead_at) WHERE dead_at IS NOT NULL;
