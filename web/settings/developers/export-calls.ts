import type { Query, recordsApi } from "../../api/index.ts";
import type { ApiCall } from "../../api/request-log.ts";
import { download, quote } from "../../base/csv.ts";
import { t } from "../../languages/index.ts";
import { describeCall } from "./callers.ts";

const most = 20_000;

/** Downloads the filtered calls as a file; returns their number, and whether the file is complete. */
export async function exportCalls(api: ReturnType<typeof recordsApi>, filter: Query, pageSize: number) {
  const calls: ApiCall[] = [];
  for (let isComplete = false; ; ) {
    const before = calls.at(-1)?.id;
    const page = await api.call("GET /request_log", { ...filter, before });
    calls.push(...page);
    isComplete = page.length < pageSize;
    if (isComplete || calls.length >= most) {
      download("calls.csv", buildCsv(calls), "text/csv");
      return { count: calls.length, isComplete };
    }
  }
}

function buildCsv(calls: readonly ApiCall[]): string {
  const head = ["time", "method", "path", "answer", "milliseconds", "caller", "address", "requestId"] as const;
  const rows = calls.map((call) => [
    ...[call.called_at, call.method, call.path, String(call.status), String(call.milliseconds)],
    ...[describeCall(call), call.address ?? "", call.request_id],
  ]);
  const labels = head.map((name) => t(`apiPages.${name}`));
  return [labels, ...rows].map((row) => row.map(quote).join(",")).join("\r\n");
}
