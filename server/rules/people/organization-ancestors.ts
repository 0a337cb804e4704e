import { statement } from "../../database/database.ts";

/** The WITH clause of a query: an organization and its ancestors as the table `above`. */
export const buildAncestorsCte = (organization: string): string => `WITH RECURSIVE above AS (
  SELECT o.id, o.parent_id FROM organizations o WHERE o.id = ${organization}
  UNION SELECT o.id, o.parent_id FROM organizations o JOIN above ON o.id = above.parent_id)`;

export const buildOrganizationOfPersonSql = (person: string): string =>
  `(SELECT p.organization_id FROM people p WHERE p.id = ${person})`;

export const selectOrganizationOfPerson = statement("SELECT organization_id FROM people WHERE id = $1");
