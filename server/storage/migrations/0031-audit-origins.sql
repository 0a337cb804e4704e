ALTER TABLE audit_lines ADD COLUMN origin jsonb;
