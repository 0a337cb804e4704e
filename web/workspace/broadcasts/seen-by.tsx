import IconEye from "@tabler/icons-react/dist/esm/icons/IconEye.mjs";
import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../current-account.ts";
import { formatNumber } from "../../formats.ts";
import { t } from "../../languages/index.ts";
import { Icon } from "../../parts/icon.tsx";

const interval = 30_000;

/** How many people of the audience had the banner before their eyes. */
export function SeenBy({ id }: { id: number }) {
  const { account, api } = useCurrentAccount();
  const path = `/broadcasts/${id}/audience`;
  const { data } = useQuery({
    queryKey: [account.id, "list", path],
    queryFn: () => api.get<{ count: number; seen: number }>(path),
    refetchInterval: interval,
  });
  if (data === undefined) return null;
  return (
    <span className="quiet broadcast-seen">
      <Icon of={IconEye} />
      {t("broadcasts.seenBy", { seen: formatNumber(data.seen), count: formatNumber(data.count) })}
    </span>
  );
}
