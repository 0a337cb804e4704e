import { useQuery } from "@tanstack/react-query";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RecordDetails } from "../../parts/records/record-details.tsx";
import { findType } from "../../record-types.ts";

/** The account itself. No call changes it, so it is only shown. */
export function AccountScreen() {
  const { account, api } = useCurrentAccount();
  const { data, error, refetch } = useQuery({ queryKey: [account.id, "account"], queryFn: () => api.get("/account") });
  return (
    <div>
      <PageHeader title={t("account.title")} lead={account.name} />
      {error !== null ? (
        <ErrorMessage error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingSkeleton />
      ) : (
        <RecordDetails type={findType("account") as RecordType} row={data} />
      )}
    </div>
  );
}
