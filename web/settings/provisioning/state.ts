// The answer of GET /scim.

export type ProvisioningToken = {
  id: number;
  name: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  created_by: { id: number; name: string } | null;
};

export type ProvisioningRun = {
  id: number;
  rule_id: number;
  rule_name: string;
  record_type: "scim_user" | "scim_group";
  record_id: number;
  started_at: string;
  outcome: "done" | "not met" | "failed" | "dropped";
  actions: readonly string[];
  error: string | null;
};

export type ProvisioningState = {
  base_url: string;
  enabled: boolean;
  tokens: readonly ProvisioningToken[];
  users: { active: number; inactive: number; failed: number };
  groups: number;
  runs: readonly ProvisioningRun[];
};
