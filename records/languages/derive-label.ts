// biome-ignore format: a table keeps its layout
const spellings = new Map(Object.entries({
  ai: "AI", api: "API", asla: "ASLA", ci: "CI", cis: "CIs", css: "CSS", csv: "CSV", flsa: "FLSA", html: "HTML", id: "ID",
  ids: "IDs", javascript: "JavaScript", json: "JSON", jwt: "JWT", max: "maximum", min: "minimum", nr: "number",
  oauth: "OAuth", pdf: "PDF", po: "PO", rep: "representative", rfc: "RFC", rfi: "RFI", roi: "ROI", scim: "SCIM",
  sla: "SLA", slas: "SLAs", ui: "UI", uri: "URI", url: "URL", vip: "VIP", wfc: "WFC", wip: "WIP", zip: "zip code",
}));

/** The English label of a name on the wire: primary_email is "Primary email", supplier_requestID "Supplier request ID". */
export function deriveLabel(name: string): string {
  const words = name.replace(/(?<=[a-z])ID(?=_|$)/g, "_id").split("_");
  const label = words.map((word) => spellings.get(word) ?? word).join(" ");
  return label.charAt(0).toUpperCase() + label.slice(1);
}
