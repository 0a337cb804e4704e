// biome-ignore format: a table keeps its layout
const spellings = new Map(Object.entries({
  ai: "AI", api: "API", asla: "ASLA", ci: "CI", cis: "CIs", css: "CSS", csv: "CSV", flsa: "FLSA", flsas: "FLSAs",
  html: "HTML", id: "ID", ids: "IDs", javascript: "JavaScript", json: "JSON", jwt: "JWT", max: "maximum", mcp: "MCP",
  min: "minimum", nr: "number", oauth: "OAuth", pdf: "PDF", po: "PO", rep: "representative", rfc: "RFC", rfcs: "RFCs",
  rfi: "RFI", roi: "ROI", scim: "SCIM", sla: "SLA", slas: "SLAs", sms: "SMS", tel: "phone", ui: "UI", uri: "URI",
  uris: "URIs", url: "URL", urls: "URLs", vip: "VIP", wfc: "WFC", wip: "WIP", zip: "postal code",
}));

/** What the terms of a service level hold for: response_target_top_in_days is "Response target in days (top impact)". */
const subjects = new Map(
  Object.entries({
    top: "top impact",
    high: "high impact",
    medium: "medium impact",
    low: "low impact",
    rfc: "RFC",
    rfi: "RFI",
    case: "case",
  }),
);
const terms =
  /^(activityID|charge_type|rate|support_hours|\w+_target|\w+_scheme)_(top|high|medium|low|rfc|rfi|case)(_\w+)?$/;

/** A label in the middle of a sentence; abbreviations keep their capitals. */
export const lowerFirst = (label: string): string =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;

/** The English label of a name on the wire: primary_email is "Primary email", supplier_requestID "Supplier request ID". */
export function deriveLabel(name: string): string {
  const [, term, subject = "", unit = ""] = terms.exec(name) ?? [];
  if (term !== undefined) return `${deriveLabel(`${term}${unit}`)} (${subjects.get(subject)})`;
  const words = name.replace(/(?<=[a-z])ID(s?)(?=_|$)/g, "_id$1").split("_");
  const label = words.map((word) => spellings.get(word) ?? word).join(" ");
  return label.charAt(0).toUpperCase() + label.slice(1);
}
