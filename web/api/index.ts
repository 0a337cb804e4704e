// The server, as the pages see it. Records go through the REST API with a short-lived token that the session is exchanged
// for; what REST does not offer goes through /session-api with the session itself. What only the settings
// call (api/administration.ts, api/profile.ts) is not named here: it would be loaded with every page.

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
