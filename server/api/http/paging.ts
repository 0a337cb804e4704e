import type { Page } from "../../engine/list.ts";
import type { Parameter } from "../../engine/read/list-query.ts";
import type { ApiResponse, Call } from "./route.ts";

/** The records as a JSON array, with pagination headers and one Link header. */
export function respondWithPage(call: Call, page: Page, perPage: number): ApiResponse<never> {
  const headers: Record<string, string> = {
    "X-Pagination-Per-Page": String(perPage),
    "X-Pagination-Current-Page": String(page.currentPage),
    "X-Pagination-Total-Pages": String(page.totalPages),
    "X-Pagination-Total-Entries": String(page.total),
  };
  if (page.totalAge > 0) headers["X-Pagination-Total-Age"] = String(page.totalAge);
  if (page.startCursor !== null) headers["X-Pagination-Start-Cursor"] = page.startCursor;
  if (page.endCursor !== null) headers["X-Pagination-End-Cursor"] = page.endCursor;
  if (page.throttled) headers["X-Pagination-Throttled"] = "true";
  const link = buildLinkHeader(call, page);
  if (link !== "") headers.Link = link;
  return { status: 200, json: `[${page.records.join(",")}]`, headers };
}

const cursorParameters = new Set(["search_after", "search_before", "page"]);

function buildLinkHeader(call: Call, page: Page): string {
  const kept = call.query.filter((parameter) => !cursorParameters.has(parameter.name));
  const path = (call.request.raw.url ?? "").split("?")[0] ?? "";
  const buildUrl = (cursor: Parameter[]): string => {
    const query = [...kept, ...cursor]
      .map(({ name, value }) => `${encodeLinkPart(name)}=${encodeLinkPart(value)}`)
      .join("&");
    return `<${call.origin}${path}${query === "" ? "" : `?${query}`}>`;
  };
  const links: string[] = [];
  if (page.hasPrevious) {
    links.push(`${buildUrl([])}; rel="first"`);
    if (page.startCursor !== null)
      links.push(`${buildUrl([{ name: "search_before", value: page.startCursor }])}; rel="prev"`);
  }
  if (page.hasNext && page.endCursor !== null)
    links.push(`${buildUrl([{ name: "search_after", value: page.endCursor }])}; rel="next"`);
  return links.join(", ");
}

/** Clients split the header at commas and semicolons, so a URL must contain neither. */
const encodeLinkPart = (text: string): string => encodeURIComponent(text).replaceAll("'", "%27");
