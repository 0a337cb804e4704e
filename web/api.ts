// The server, as the pages see it. Records go through the REST API with a short-lived token that the session is exchanged
// for; what REST does not offer goes through /session-api with the session itself. What only the settings or the portal
// call (api/administration.ts, api/portal.ts, api/profile.ts) is not named here: it would be loaded with every page.

export {
  ApiError,
  type FieldError,
  type Page,
  type ProofMethod,
  type ProofProvider,
  type Query,
  type Row,
} from "./api/call.ts";
export * from "./api/kept.ts";
export * from "./api/live.ts";
export type * from "./api/portal-types.ts";
export * from "./api/records.ts";
export { onAnsweredCall } from "./api/rest.ts";
export { askForProofBy, askForSessionBy, sessionApi } from "./api/session.ts";
