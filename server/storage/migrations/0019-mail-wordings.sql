CREATE TABLE mail_wordings (
  account_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  language text NOT NULL,
  title text NOT NULL,
  text text NOT NULL,
  updated_at timestamp(0) with time zone NOT NULL
);
CREATE INDEX security_events_event ON security_events (account_id, event, id);
CREATE INDEX security_events_person_id ON security_events (account_id, person_id, id);
CREATE UNIQUE INDEX mail_wordings_key ON mail_wordings (account_id, name, language);
