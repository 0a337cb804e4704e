CREATE TABLE idempotency_keys (
  account_id text COLLATE "C" NOT NULL,
  person_id integer NOT NULL,
  key_hash text NOT NULL,
  request_hash text NOT NULL,
  answer text,
  expires_at timestamp(0) with time zone NOT NULL
);
CREATE UNIQUE INDEX idempotency_keys_key ON idempotency_keys (person_id, account_id, key_hash);
CREATE INDEX idempotency_keys_expires_at ON idempotency_keys (expires_at);
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_person_id_fkey FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE;
