ALTER TABLE bulk_changes ADD COLUMN program text;
ALTER TABLE imports ADD COLUMN program text;
