/** The words of RFC 7644, table 9, for what is wrong with a request. */
export type ScimErrorType =
  | "invalidFilter"
  | "invalidSyntax"
  | "invalidValue"
  | "invalidPath"
  | "noTarget"
  | "mutability"
  | "uniqueness"
  | "invalidVers";

/** Ends a SCIM call with an error document. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimErrorType | null;

  constructor(status: number, scimType: ScimErrorType | null, detail: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const invalidValue = (detail: string): ScimError => new ScimError(400, "invalidValue", detail);
export const invalidFilter = (detail: string): ScimError => new ScimError(400, "invalidFilter", detail);
export const invalidPath = (detail: string): ScimError => new ScimError(400, "invalidPath", detail);
