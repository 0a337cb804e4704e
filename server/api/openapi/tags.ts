import { deriveLabel } from "../../../records/languages/index.ts";
import type { OpenApiContext, Schema } from "./components.ts";

// Groups operations by the first segment of their path.

export const pickTag = (context: OpenApiContext, path: string): string => {
  const segment = path.split("/")[1] ?? "";
  const type = context.types.all.find(({ collection }) => collection === segment);
  return deriveLabel(type?.collection ?? segment);
};

const tagDescriptions: Record<string, string> = {
  "Import and export":
    "Import and export records as files. Both run as background jobs whose progress can be retrieved.",
  General: "The caller, the account, enumerations and the rate limit.",
  Provisioning: "Users and groups provisioned by an identity provider over SCIM 2.0.",
  "Sign-in": "How the people of an account sign in.",
  "E-mail": "Outgoing and incoming emails, and the email policy.",
  "Security trail": "The security log: sign-ins, and changes to tokens, applications, passwords and roles.",
  "Dead jobs": "Background jobs that failed too often.",
  Attachments: "Upload files first, then attach them to a record by their keys.",
};

export function buildTag(context: OpenApiContext, name: string): Schema {
  const type = context.types.all.find(({ collection }) => deriveLabel(collection) === name);
  if (type === undefined)
    return tagDescriptions[name] === undefined ? { name } : { name, description: tagDescriptions[name] };
  const events = type.events.map((event) => `\`${type.name}.${event}\``);
  const actions = [
    "Read",
    ...(type.storage.journal ? [] : ["Create", "Update"]),
    ...(type.deletion.deletable === false ? [] : ["Delete"]),
  ];
  const scopes = actions.map((action) => `\`${type.scopeName}:${action}\``);
  const remarks = [
    `${scopes.length === 1 ? "Scope" : "Scopes"} ${scopes.join(", ")}.`,
    type.storage.journal ? "Read-only: written by the service." : "",
    events.length === 0 ? "" : `Webhook events ${events.join(", ")}.`,
  ];
  return { name, description: remarks.filter((remark) => remark !== "").join(" ") };
}
