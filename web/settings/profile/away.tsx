import { Button } from "@mantine/core";
import IconBeach from "@tabler/icons-react/dist/esm/icons/IconBeach.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useQuery } from "@tanstack/react-query";
import { outOfOfficePeriod } from "../../../records/people/out-of-office-period.ts";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { formatDate } from "../../formats.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { paths } from "../../paths.ts";

type Period = Row & {
  start_at: string;
  end_at: string;
  reason: string | null;
  approval_delegate: { name: string } | null;
};

/** When somebody is away, and who decides meanwhile. */
export function Away() {
  const { who, account, api } = useCurrentAccount();
  const { data } = useQuery({
    queryKey: [account.id, "away", who.person.id],
    queryFn: () =>
      api.list("/out_of_office_periods", {
        person: String(who.person.id),
        end_at: `>${new Date().toISOString()}`,
        fields: "start_at,end_at,reason,approval_delegate",
        sort: "start_at",
      }),
  });
  return (
    <>
      {(data?.rows as Period[] | undefined)?.map((period) => (
        <div className="away" key={period.id}>
          <Icon of={IconBeach} size={20} color="var(--teal-solid)" />
          <div>
            <div>
              <strong>
                {formatDate(period.start_at)} – {formatDate(period.end_at)}
              </strong>{" "}
              <span className="quiet">{period.reason}</span>
            </div>
            {period.approval_delegate !== null && (
              <div className="quiet">{t("profile.delegate", { name: period.approval_delegate.name })}</div>
            )}
          </div>
          <Button
            variant="default"
            className="profile-end"
            {...linkTo(paths.edit(account.id, outOfOfficePeriod, period.id))}
          >
            {t("record.edit")}
          </Button>
        </div>
      ))}
      <Button
        variant="default"
        leftSection={<Icon of={IconPlus} />}
        {...linkTo(paths.create(account.id, outOfOfficePeriod))}
      >
        {t("profile.goAway")}
      </Button>
    </>
  );
}
