CREATE TABLE request_accounts (
  request_id integer NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  home_account_id text COLLATE "C" NOT NULL,
  status text,
  completion_reason text,
  major_incident_status text,
  team_id integer,
  member_id integer,
  supplier_id integer,
  "supplier_requestID" text,
  assignment_count integer,
  reopen_count integer,
  new_assignment boolean,
  waiting_until timestamp(0) with time zone,
  completed_at timestamp(0) with time zone,
  resolution_duration integer,
  next_target_at text,
  created_at timestamp(0) with time zone NOT NULL
);
CREATE UNIQUE INDEX request_accounts_key ON request_accounts (request_id, account_id);
CREATE INDEX request_accounts_account_id ON request_accounts (account_id, request_id);
ALTER TABLE request_accounts ADD CONSTRAINT request_accounts_request_id_fkey FOREIGN KEY (request_id) REFERENCES requests (id) ON DELETE CASCADE;
CREATE INDEX request_accounts_completed_at ON request_accounts (account_id, completed_at, request_id);
CREATE INDEX request_accounts_created_at ON request_accounts (account_id, created_at, request_id);
CREATE INDEX request_accounts_major_incident_status ON request_accounts (account_id, major_incident_status, request_id);
CREATE INDEX request_accounts_member_id ON request_accounts (account_id, member_id, request_id);
ALTER TABLE request_accounts ADD CONSTRAINT request_accounts_member_id_fkey FOREIGN KEY (member_id) REFERENCES people (id);
CREATE INDEX request_accounts_next_target_at ON request_accounts (account_id, replace(next_target_at, 'best_effort', 'd'), request_id);
CREATE INDEX request_accounts_status ON request_accounts (account_id, status, request_id);
ALTER TABLE request_accounts ADD CONSTRAINT request_accounts_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES organizations (id);
CREATE INDEX "request_accounts_supplier_requestID" ON request_accounts (account_id, "supplier_requestID", request_id);
CREATE INDEX request_accounts_team_id ON request_accounts (account_id, team_id, request_id);
ALTER TABLE request_accounts ADD CONSTRAINT request_accounts_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams (id);
CREATE INDEX account_trusts_trusted ON account_trusts (trusted_account_id);
