ALTER TABLE bulk_changes ADD COLUMN links text;
ALTER TABLE bulk_change_records ADD COLUMN linked text;
