// An identity provider of an account: what administrators set.

/** The fields of a person that claims can fill when the person is created. */
export const mappedFields = [
  ...(["email", "name", "job_title", "locale", "time_zone", "organization", "site"] as const),
  ...(["manager", "picture"] as const),
];
export type MappedField = (typeof mappedFields)[number];

export type ProviderSettings = {
  scopes: string;
  /** by what an unknown subject is recognized as a person of the account */
  identifier: "email" | "authenticationID";
  /** the claim with the authenticationID */
  identifier_claim: string;
  claims: Readonly<Record<MappedField, string>>;
  /** people who are not known yet are created when they sign in */
  create_people: boolean;
  /** their organization, where no claim names one; null: that of the account */
  organization_id: number | null;
  /** the provider requires a second factor, so the sign-in here doesn't */
  second_factor_by_provider: boolean;
};

/** A row of identity_providers. */
export type IdentityProvider = {
  id: number;
  account_id: string;
  reference: string;
  name: string;
  issuer: string;
  client_id: string;
  sealed_secret: string | null;
  domains: readonly string[];
  settings: ProviderSettings;
  enforced: boolean;
  disabled: boolean;
  created_at: string;
  updated_at: string;
};

export const defaultSettings: ProviderSettings = {
  scopes: "openid email profile",
  identifier: "email",
  identifier_claim: "sub",
  claims: {
    email: "email",
    name: "name",
    job_title: "jobTitle",
    locale: "locale",
    time_zone: "zoneinfo",
    organization: "organization",
    site: "site",
    manager: "manager",
    picture: "picture",
  },
  create_people: false,
  organization_id: null,
  second_factor_by_provider: false,
};

export const secretPurpose = "secret of an identity provider";

/** The path at which signing in with the provider begins. */
export const buildStartPath = ({ account_id, reference }: Pick<IdentityProvider, "account_id" | "reference">): string =>
  `/a/${encodeURIComponent(account_id)}/sso/${encodeURIComponent(reference)}`;

export const getDomain = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase();
