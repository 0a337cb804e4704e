import { OauthError } from "../errors.ts";

/** The parameters of a token request. An empty one counts as missing (RFC 6749, section 3.2). */
export class TokenParameters {
  private readonly values: ReadonlyMap<string, string>;

  constructor(values: ReadonlyMap<string, string>) {
    this.values = values;
  }

  optional(name: string): string | null {
    return this.values.get(name) || null;
  }

  required(name: string): string {
    const value = this.optional(name);
    if (value === null) throw new OauthError("invalid_request", `The parameter ${name} is missing.`);
    return value;
  }
}
