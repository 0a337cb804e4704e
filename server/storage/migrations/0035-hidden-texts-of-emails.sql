ALTER TABLE mails ADD COLUMN sealed_texts text;

-- Emails that still have their text keep no link that works without a session. Their readers ask for a new password again; an approval can be
-- decided in the web interface.
UPDATE mails SET
  body = regexp_replace(body, '(/password_reset/|/approvals/\d+/\d+/(?:approved|rejected)/|/survey/\d+/\d+/)[A-Za-z0-9]{40,}', '\1[hidden]', 'g'),
  html = regexp_replace(html, '(/password_reset/|/approvals/\d+/\d+/(?:approved|rejected)/|/survey/\d+/\d+/)[A-Za-z0-9]{40,}', '\1[hidden]', 'g')
WHERE body ~ '/(password_reset|approvals|survey)/[A-Za-z0-9/]*[A-Za-z0-9]{40}';
