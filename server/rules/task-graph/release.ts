import { release } from "../../../records/work/release.ts";
import { statement } from "../../database/database.ts";
import { rulesFor } from "../../engine/rules.ts";
import { addNotes } from "../communication/notes.ts";

const selectReleaseManager = statement(
  "SELECT 1 FROM permissions WHERE account_id = $1 AND person_id = $2 AND role = 'release_manager'",
);

export const releaseRules = rulesFor(release, {
  async beforeSave({ tx, by, account, after, changed, problem }) {
    if (!changed.has("manager") || after.manager === null || after.manager === by.person) return;
    const rows = await tx.query(selectReleaseManager, [account, after.manager]);
    if (rows.length === 0) problem("manager", "is not valid");
  },
  afterSave: addNotes,
});
