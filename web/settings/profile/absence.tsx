import { Button } from "@mantine/core";
import IconBeach from "@tabler/icons-react/dist/esm/icons/IconBeach.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useQuery } from "@tanstack/react-query";
import { outOfOfficePeriod } from "../../../records/people/out-of-office-period.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatDate } from "../../base/formats.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { profileQueries } from "../../queries/settings/profile.ts";

/** The person's absence, and their delegate. */
export function Away() {
  const { who, account, api } = useCurrentAccount();
  const { data } = useQuery(profileQueries.away(api, who.person.id));
  return (
    <>
      {data?.rows.map((period) => (
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
