ALTER TABLE knowledge_articles ADD COLUMN review_date date;
-- Translations could not be written before; what was stored by hand may lack something.
UPDATE knowledge_article_translations t SET subject = coalesce(subject, ''), description = coalesce(description, ''), instructions = coalesce(instructions, ''),
  locale = coalesce(locale, (SELECT a.locale FROM knowledge_articles a WHERE a.id = t.knowledge_article_id), 'en-US')
WHERE locale IS NULL OR subject IS NULL OR description IS NULL OR instructions IS NULL;
ALTER TABLE knowledge_article_translations ALTER COLUMN locale SET NOT NULL;
ALTER TABLE knowledge_article_translations ALTER COLUMN subject SET NOT NULL;
ALTER TABLE knowledge_article_translations ALTER COLUMN description SET NOT NULL;
ALTER TABLE knowledge_article_translations ALTER COLUMN instructions SET NOT NULL;
CREATE TABLE knowledge_article_marks (
  account_id text COLLATE "C" NOT NULL,
  knowledge_article_id integer NOT NULL,
  person_id integer NOT NULL,
  mark text NOT NULL,
  note text,
  created_at timestamp(0) with time zone NOT NULL
);
CREATE UNIQUE INDEX knowledge_article_marks_key ON knowledge_article_marks (knowledge_article_id, person_id, account_id);
ALTER TABLE knowledge_article_marks ADD CONSTRAINT knowledge_article_marks_person_id_fkey FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE;
ALTER TABLE knowledge_article_marks ADD CONSTRAINT knowledge_article_marks_knowledge_article_id_fkey FOREIGN KEY (knowledge_article_id) REFERENCES knowledge_articles (id) ON DELETE CASCADE;
