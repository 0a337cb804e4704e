import { request } from "../../../records/work/request.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { Link } from "../../elements/link.tsx";
import { StatusIcon } from "../../parts/work/status.tsx";
import { CategoryIcon } from "../../parts/work/type-icon.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";

/** A request in one line. */
export function WorkLine({ row }: { row: Row }) {
  const { account } = useCurrentAccount();
  return (
    <div className="ci-work">
      <CategoryIcon type="request" category={String(row.category ?? "")} />
      <span className="numbers">{formatWorkId("request", row.id)}</span>
      <Link to={paths.record(account.id, request, row.id)}>{String(row.subject ?? "")}</Link>
      <StatusIcon type="request" status={String(row.status)} />
    </div>
  );
}
