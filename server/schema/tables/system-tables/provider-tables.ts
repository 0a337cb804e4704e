import type { Schema } from "../model.ts";
import { account, foreignKey, identity, index, moment, nullable, table } from "./words.ts";

// Signing in with an identity provider (OpenID Connect): the providers of an account, who is who there, and what a session
// needs to end together with that of the provider.

export const providerTables: Schema = {
  tables: [
    table("identity_providers", {
      id: identity,
      account_id: account,
      // part of the address at which signing in begins
      reference: "text NOT NULL",
      name: "text NOT NULL",
      issuer: "text NOT NULL",
      client_id: "text NOT NULL",
      sealed_secret: "text",
      // the domains of email addresses, in lower case
      domains: "text[] NOT NULL",
      settings: "jsonb NOT NULL",
      enforced: "boolean NOT NULL DEFAULT false",
      disabled: "boolean NOT NULL DEFAULT false",
      created_at: moment,
      updated_at: moment,
    }),
    // issuer and subject name a person at the provider; an email address may change its owner
    table("identity_links", {
      id: identity,
      account_id: account,
      provider_id: "integer NOT NULL",
      person_id: "integer NOT NULL",
      issuer: "text NOT NULL",
      subject: "text NOT NULL",
      created_at: moment,
      last_used_at: nullable(moment),
    }),
    // sessions that began with a provider
    table("provider_sessions", {
      session_id: "integer PRIMARY KEY",
      account_id: account,
      provider_id: "integer NOT NULL",
      subject: "text NOT NULL",
      // the session at the provider
      sid: "text",
      // the provider asks for its ID token when a person signs out there
      sealed_token: "text",
      // how the person was authenticated: acr and amr
      methods: "jsonb NOT NULL",
    }),
  ],
  extras: [
    index("identity_providers_reference", "identity_providers", "(account_id, reference)", true),
    index("identity_links_subject", "identity_links", "(account_id, issuer, subject)", true),
    index("identity_links_provider_id", "identity_links", "(account_id, provider_id, id)"),
    index("identity_links_person_id", "identity_links", "(person_id)"),
    index("provider_sessions_subject", "provider_sessions", "(provider_id, subject)"),
    index("provider_sessions_sid", "provider_sessions", "(provider_id, sid) WHERE sid IS NOT NULL"),
    foreignKey("identity_links", "provider_id", "identity_providers"),
    foreignKey("identity_links", "person_id", "people"),
    foreignKey("provider_sessions", "session_id", "sessions"),
    foreignKey("provider_sessions", "provider_id", "identity_providers"),
  ],
};
