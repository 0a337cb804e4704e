// The events of the security trail, in groups as people ask for them. Server and web read the same table.

export const securityEventGroups = {
  signIns: ["sign-in", "sign-in-failed", "emergency-sign-in", "sign-out", "session-ended", "signed-out-everywhere"],
  passwords: [
    ...["password-changed", "password-reset-requested"],
    ...["second-factor-enabled", "second-factor-removed", "second-factor-failed"],
    ...["recovery-code-used", "recovery-codes-renewed"],
    ...["passkey-added", "passkey-removed", "passkey-refused", "identity-proven"],
  ],
  tokens: ["token-created", "token-deleted", "refresh-token-used-twice", "code-used-twice"],
  applications: [
    ...["application-created", "application-changed", "application-deleted"],
    ...["client-created", "client-changed", "client-deleted"],
    ...["authorization-given", "authorization-denied", "authorization-revoked"],
  ],
  providers: [
    ...["identity-provider-created", "identity-provider-changed", "identity-provider-deleted"],
    ...["identity-linked", "identity-unlinked"],
  ],
  roles: ["roles-changed", "person-created", "person-disabled"],
  account: [
    ...["account-created", "account-changed", "email-policy-changed", "sign-in-policy-changed", "mail-wording-changed"],
    "mail-sent-again",
    ...["person-data-exported", "person-anonymized", "retention-changed"],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type SecurityEventGroup = keyof typeof securityEventGroups;
export type SecurityEvent = (typeof securityEventGroups)[SecurityEventGroup][number];

/** The content of the page's tabs: sign-ins, and changes of access. */
export const securityEventTabs = {
  signIns: ["signIns"],
  access: ["tokens", "applications", "roles"],
} as const satisfies Readonly<Record<string, readonly SecurityEventGroup[]>>;

export type SecurityEventTab = keyof typeof securityEventTabs;

export const listTabEvents = (tab: SecurityEventTab): readonly SecurityEvent[] =>
  securityEventTabs[tab].flatMap((group): readonly SecurityEvent[] => securityEventGroups[group]);
