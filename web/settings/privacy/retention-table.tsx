import { Button, NumberInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { privacyApi, type RetentionPeriod } from "../../api/privacy.ts";
import { useSettingsDraft } from "../../drafts/use-settings-draft.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { privacyQueries } from "../../queries/settings/privacy.ts";
import { DraftNote } from "../draft-note.tsx";
import { exchangeTypeLabel } from "../exchange/labels.ts";

/** The retention period of each kind of data; the default is unlimited. */
export function RetentionTable() {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(privacyQueries.periods(api));
  return (
    <section aria-label={t("privacy.retention")}>
      <h2 className="settings-title">{t("privacy.retention")}</h2>
      <p className="quiet">{t("privacy.retentionLead")}</p>
      <div className="card scroll-x">
        {error !== null ? (
          <ErrorPanel error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <SkeletonRows rows={6} />
        ) : (
          <table className="plain-table" aria-label={t("privacy.retention")}>
            <thead>
              <tr>
                <th>{t("privacy.what")}</th>
                <th>{t("privacy.days")}</th>
                <th>{t("privacy.lastRun")}</th>
              </tr>
            </thead>
            <tbody>
              {data.map((period) => (
                <PeriodRow key={`${period.subject} ${period.days}`} period={period} />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}

function PeriodRow({ period }: { period: RetentionPeriod }) {
  const { account, api: rest } = useCurrentAccount();
  const queries = useQueryClient();
  const api = privacyApi(account.id);
  const { values, change, draft, isOutdated } = useSettingsDraft(`retention/${period.subject}`, { days: period.days });
  const { days } = values;
  const [deletedCount, setDeletedCount] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const label = exchangeTypeLabel(period.subject);
  const save = async () => {
    setBusy(true);
    try {
      queries.setQueryData(privacyQueries.periods(rest).queryKey, await api.setPeriod(period.subject, days));
      draft.remove();
      showMessage(t("privacy.saved"));
      setDeletedCount(null);
    } catch (error) {
      showError(error);
    }
    setBusy(false);
  };
  /** The records that would be deleted are counted first. */
  const countDeleted = async () => {
    if (days === period.days) return;
    if (days === null) return save();
    setBusy(true);
    try {
      setDeletedCount((await api.preview(period.subject, days)).count);
    } catch (error) {
      showError(error);
    }
    setBusy(false);
  };
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <form
          className="privacy-days"
          onSubmit={(event) => {
            event.preventDefault();
            void countDeleted();
          }}
        >
          <NumberInput
            size="xs"
            min={1}
            max={36_500}
            allowDecimal={false}
            hideControls
            aria-label={t("privacy.daysOf", { what: label })}
            placeholder={t("privacy.forEver")}
            value={days ?? ""}
            onChange={(value) => change({ days: typeof value === "number" ? value : null })}
          />
          {days !== period.days && (
            <Button type="submit" size="xs" variant="default" loading={busy}>
              {t("form.save")}
            </Button>
          )}
        </form>
        <DraftNote draft={draft} isOutdated={isOutdated} />
      </td>
      <td className="quiet">
        {period.last_run_at !== null && (
          <>
            <Timestamp at={period.last_run_at} /> · {t("privacy.erased", { count: period.last_deleted })}
          </>
        )}
        {deletedCount !== null && (
          <ConfirmDialog
            title={t("privacy.keepTitle", { what: label, days: days ?? 0 })}
            lead={t("privacy.keepLead", { count: deletedCount })}
            action={t("privacy.keepAction")}
            busy={busy}
            onConfirm={() => void save()}
            onClose={() => setDeletedCount(null)}
          />
        )}
      </td>
    </tr>
  );
}
