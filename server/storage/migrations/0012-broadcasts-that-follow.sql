ALTER TABLE broadcasts ADD COLUMN end_on_completion boolean NOT NULL DEFAULT false;
ALTER TABLE broadcasts ADD COLUMN show_as_solved boolean NOT NULL DEFAULT false;
ALTER TABLE knowledge_articles ADD COLUMN staff_instructions text;
CREATE INDEX seen_marks_record ON seen_marks (record_id, record_type);
