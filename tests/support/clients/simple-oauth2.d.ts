declare module "simple-oauth2" {
  type Token = { access_token: string; refresh_token?: string; expires_at: Date; [member: string]: unknown };
  type AccessToken = {
    token: Token;
    expired(): boolean;
    refresh(): Promise<AccessToken>;
    revoke(which: "access_token" | "refresh_token"): Promise<void>;
    revokeAll(): Promise<void>;
  };
  type Settings = {
    client: { id: string; secret: string };
    auth: { tokenHost: string; tokenPath?: string; authorizePath?: string; revokePath?: string };
    options?: { authorizationMethod?: "body" | "header"; bodyFormat?: "form" | "json" };
  };
  export class AuthorizationCode {
    constructor(settings: Settings);
    authorizeURL(parameters: { redirect_uri: string; state?: string }): string;
    getToken(parameters: { code: string; redirect_uri: string }): Promise<AccessToken>;
  }
  export class ClientCredentials {
    constructor(settings: Settings);
    getToken(parameters?: Record<string, string>): Promise<AccessToken>;
  }
}
