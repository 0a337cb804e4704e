import { recordsApi } from "./records.ts";

export type IdentityProvider = {
  id: number;
  name: string;
  reference: string;
  issuer: string;
  client_id: string;
  has_client_secret: boolean;
  domains: readonly string[];
  scopes: string;
  identifier: "email" | "authenticationID";
  identifier_claim: string;
  claims: Readonly<Record<string, string>>;
  create_people: boolean;
  second_factor_by_provider: boolean;
  enforced: boolean;
  disabled: boolean;
  start_url: string;
  callback_url: string;
  back_channel_logout_url: string;
  created_at: string;
  updated_at: string;
};
export type ConnectionTest = { works: boolean; problem: string | null };
/** What is sent: the secret goes one way. */
export type ProviderValues = Partial<IdentityProvider> & { client_secret?: string };

/** The identity providers of an account, for its administrators. */
export const identityProvidersApi = (account: string) => {
  const rest = recordsApi(account);
  const at = "/identity_providers";
  return {
    list: () => rest.get<IdentityProvider[]>(at),
    read: (id: number) => rest.get<IdentityProvider>(`${at}/${id}`),
    create: (wanted: ProviderValues) => rest.ask<IdentityProvider>(at, wanted),
    change: (id: number, wanted: ProviderValues) => rest.change<IdentityProvider>(`${at}/${id}`, wanted),
    remove: (id: number) => rest.remove(`${at}/${id}`),
    test: (id: number) => rest.ask<ConnectionTest>(`${at}/${id}/test`, {}),
  };
};

export const providersKey = (account: string, ...more: unknown[]) => [account, "identity providers", ...more];
