import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { connectionTest, identityProvider } from "../../records/answers/identity-providers.ts";
import type { BodyOf } from "./operations.ts";
import { recordsApi } from "./records.ts";

export type IdentityProvider = AnswerOf<typeof identityProvider>;
export type ConnectionTest = AnswerOf<typeof connectionTest>;
/** The secret can be written but never read. */
export type NewProvider = BodyOf<"POST /identity_providers">;
export type ProviderValues = BodyOf<"PATCH /identity_providers/:id">;

/** The identity providers of an account, for administrators. */
export const identityProvidersApi = (account: string) => {
  const rest = recordsApi(account);
  return {
    create: (wanted: NewProvider) => rest.call("POST /identity_providers", {}, wanted),
    change: (id: number, wanted: ProviderValues) => rest.call("PATCH /identity_providers/:id", { id }, wanted),
    remove: (id: number) => rest.call("DELETE /identity_providers/:id", { id }),
    test: (id: number) => rest.call("POST /identity_providers/:id/test", { id }),
  };
};
