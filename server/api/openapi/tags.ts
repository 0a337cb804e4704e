import { deriveLabel } from "../../../records/languages/index.ts";
import type { OpenApiContext, Schema } from "./components.ts";

// Groups operations by the first segment of their path.

export const pickTag = (context: OpenApiContext, path: string): string => {
  const segment = path.split("/")[1] ?? "";
  const type = context.types.all.find(({ collection }) => collection === segment);
  return deriveLabel(type?.collection ?? segment);
};

const tagDescriptions: Record<string, string> = {
  "Import and export": "Records in files: read in and written by jobs, whose progress is asked for.",
  General: "The caller, the account, the enumerations, the rate limit.",
  Provisioning: "Users and groups that an identity provider sends over SCIM 2.0.",
  "Sign-in": "How the people of an account sign in.",
  "E-mail": "What was written to people, what people wrote to the account, and the policy for it.",
  "Security trail": "Sign-ins, and changes of tokens, applications, passwords and roles.",
  "Dead jobs": "Work in the background that failed too often.",
  Attachments: "Files are uploaded first and belong to nobody; a record takes them by naming their keys.",
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
    type.storage.journal ? "Written by the service alone." : "",
    events.length === 0 ? "" : `Webhook events ${events.join(", ")}.`,
  ];
  return { name, description: remarks.filter((remark) => remark !== "").join(" ") };
}
