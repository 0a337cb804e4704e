-- A file that somebody of another account added to a shared request had the account of its uploader. Files live with the record
-- that uses them, and are read with its account.
UPDATE attachments f SET account_id = n.account_id FROM notes n
WHERE f.record_type = 'note' AND n.id = f.record_id AND n.account_id <> f.account_id;
UPDATE attachments f SET account_id = r.account_id FROM requests r
WHERE f.record_type = 'request' AND r.id = f.record_id AND r.account_id <> f.account_id;
