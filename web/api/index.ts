// The client of the server's API. Records go through the REST API with a short-lived token obtained for the session;
// everything REST doesn't offer goes through /session-api with the session itself. Calls that only the settings use
// (api/administration.ts, api/profile.ts) are not exported here, because every page would load them.

export {
  ApiError,
  type FieldError,
  type Page,
  type ProofMethod,
  type ProofProvider,
  type Query,
  type Row,
} from "./call.ts";
export * from "./kept.ts";
export * from "./live.ts";
export * from "./records.ts";
export { onAnsweredCall } from "./rest.ts";
export { askForProofBy, askForSessionBy, sessionApi } from "./session.ts";
