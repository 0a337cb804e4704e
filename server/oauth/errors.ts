// RFC 6749, section 5.2. The token endpoint answers 400 for all of them (AZ6).

type OauthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type";

export class OauthError extends Error {
  readonly code: OauthErrorCode;
  constructor(code: OauthErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

export const buildErrorBody = (error: OauthError): string =>
  JSON.stringify({ error: error.code, error_description: error.message });
