/** RFC 8414. Introspection is not listed: ours is a GET of a token about itself, not the endpoint of RFC 7662. */
export const buildMetadata = (origin: string, issuer: string) => ({
  issuer,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/oauth/token`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
  token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
  revocation_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
  code_challenge_methods_supported: ["S256"],
  service_documentation: `${origin}/docs/api`,
});
