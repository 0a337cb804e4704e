import IconEye from "@tabler/icons-react/dist/esm/icons/IconEye.mjs";
import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { broadcastQueries } from "../../queries/broadcasts.ts";

/** The number of people in the audience who have seen the banner. */
export function SeenBy({ id }: { id: number }) {
  const { api } = useCurrentAccount();
  const { data } = useQuery(broadcastQueries.seen(api, id));
  if (data === undefined) return null;
  return (
    <span className="quiet broadcast-seen">
      <Icon of={IconEye} />
      {t("broadcasts.seenBy", { seen: data.seen ?? 0, count: data.count })}
    </span>
  );
}
