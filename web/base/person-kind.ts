// The main occupation of a person in an account, derived from their roles and teams: it decides their menu and start
// page.

export type PersonKind = "manager" | "specialist" | "administrator" | "auditor" | "requester";

// biome-ignore format: one line per kind
const rolesOf: readonly [PersonKind, readonly string[]][] = [
  ["manager",       ["service_desk_manager", "service_level_manager", "problem_manager", "workflow_manager", "project_manager", "release_manager"]],
  ["specialist",    ["specialist", "service_desk_analyst"]],
  ["administrator", ["account_administrator", "directory_administrator", "account_owner", "account_designer", "directory_designer"]],
  ["auditor",       ["auditor", "directory_auditor"]],
];

/** The first match; people with other roles work with records like specialists. */
export function personKind(roles: readonly string[], managesTeam = false): PersonKind {
  // Without a role a person can't read any work in the account, even if they manage its teams.
  if (managesTeam && roles.some((role) => role !== "key_contact")) return "manager";
  const found = rolesOf.find(([, some]) => some.some((role) => roles.includes(role)));
  if (found !== undefined) return found[0];
  return roles.some((role) => role !== "key_contact") ? "specialist" : "requester";
}
