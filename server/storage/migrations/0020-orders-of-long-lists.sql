CREATE INDEX people_disabled ON people (account_id, name, id) WHERE life_cycle = 'active' AND disabled;
CREATE INDEX cis_label ON cis (account_id, label, id) INCLUDE (updated_at, status) WHERE life_cycle = 'active';
CREATE INDEX notes_internal ON notes (account_id, id) WHERE internal;
