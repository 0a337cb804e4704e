-- Programs of this schema notify of changes to access themselves (D-664). Older programs, which may run beside them, leave it to the
-- triggers; a contract that needs programs of schema 30 removes them.
COMMENT ON FUNCTION access_changed() IS 'For programs before schema 30; newer ones notify themselves.';
