import { useQuery } from "@tanstack/react-query";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { typeNamed } from "../groups.ts";
import { t } from "../languages/index.ts";
import { Facts } from "../parts/facts.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Problem } from "../parts/problem.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { useHere } from "../session.ts";

/** The account itself. No call changes it, so it is only shown. */
export function AccountScreen() {
  const { account, api } = useHere();
  const { data, error, refetch } = useQuery({ queryKey: [account.id, "account"], queryFn: () => api.get("/account") });
  return (
    <div>
      <PageHeader title={t("account.title")} lead={account.name} />
      {error !== null ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Waiting />
      ) : (
        <Facts type={typeNamed("account") as RecordType} row={data} />
      )}
    </div>
  );
}
