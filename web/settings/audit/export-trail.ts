import { administrationApi } from "../../api/administration.ts";
import type { Query } from "../../api/index.ts";
import { download, quote } from "../../base/csv.ts";
import { t } from "../../languages/index.ts";

/** More lines can be exported through the API, page by page. */
const most = 20_000;

/** Downloads the filtered lines as a file; returns their number, and whether the file is complete. */
export async function exportTrail(account: string, query: Query) {
  const rows: string[][] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && rows.length < most) {
    const more = cursor === undefined ? {} : { search_after: cursor };
    const page = await administrationApi(account).trail({ ...query, per_page: "100", ...more });
    for (const { id, event, created_at, person, address, details } of page.rows)
      rows.push([
        String(id),
        created_at,
        event,
        person?.name ?? "",
        String(person?.id ?? ""),
        address ?? "",
        JSON.stringify(details),
      ]);
    cursor = page.next;
  }
  const head = [
    "id",
    t("trail.when"),
    t("trail.event"),
    t("trail.person"),
    `${t("trail.person")} id`,
    t("trail.address"),
    t("trail.details"),
  ];
  download("security.csv", [head, ...rows].map((row) => row.map(quote).join(",")).join("\r\n"), "text/csv");
  return { count: rows.length, isComplete: cursor === null };
}
