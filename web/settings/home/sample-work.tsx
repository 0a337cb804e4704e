import { Button, Progress, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { SampleWork } from "../../../records/answers/settings.ts";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatNumber } from "../../base/formats.ts";
import { findType } from "../../base/record-types.ts";
import { errorText } from "../../elements/error-text.ts";
import { showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { accountQueries } from "../../queries/account.ts";
import { settingsHomeQueries } from "../../queries/settings/home.ts";
import "../../styles/sample-work.css";

// The demo company's work: an administrator removes it before the real work begins.

const pollMilliseconds = 1000;

const pickLabel = (name: string): string => {
  const type = findType(name);
  return type === undefined ? name : collectionLabel(type);
};
const countAll = ({ counts }: SampleWork): number => counts.reduce((sum, { count }) => sum + count, 0);

/** Renders nothing if there is no such work. */
export function SampleWorkCard() {
  const { api } = useCurrentAccount();
  const { account } = api;
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  /** the amount when the removal was first seen */
  const [total, setTotal] = useState<number | null>(null);
  const { data } = useQuery({
    ...settingsHomeQueries.sampleWork(api),
    refetchInterval: ({ state }) => (state.data?.removing === true ? pollMilliseconds : false),
  });
  const left = data === undefined ? 0 : countAll(data);
  const removing = data?.removing === true;
  useEffect(() => {
    if (removing) setTotal((was) => was ?? left);
    else if (total !== null) {
      setTotal(null);
      showMessage(t("sample.done"));
      void queries.invalidateQueries({ queryKey: accountQueries.all({ account }) });
    }
  }, [removing, left, total, queries, account]);
  const mayRemove = left > 0 && !removing;
  useActions([
    { id: "sample.remove", name: t("sample.remove"), group: "settings", when: mayRemove, run: () => setAsking(true) },
  ]);
  if (data === undefined || (left === 0 && !removing)) return null;
  return (
    <section className="sample-work" aria-label={t("sample.title")}>
      <div>
        <h2 className="settings-title">{t("sample.title")}</h2>
        <p className="quiet">{removing ? t("sample.left", { left }) : t("sample.lead")}</p>
        {removing && total !== null && (
          <Progress value={total === 0 ? 100 : ((total - left) / total) * 100} aria-label={t("sample.title")} />
        )}
      </div>
      {mayRemove && (
        <Button variant="default" onClick={() => setAsking(true)}>
          {t("sample.remove")}
        </Button>
      )}
      {asking && (
        <RemovalDialog
          work={data}
          onStarted={(started) => {
            setTotal(left);
            queries.setQueryData(settingsHomeQueries.sampleWork(api).queryKey, started);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

type DialogProps = { work: SampleWork; onStarted(work: SampleWork): void; onClose(): void };

/** Shows what will be deleted, and asks for the account name to prevent accidents. */
function RemovalDialog({ work, onStarted, onClose }: DialogProps) {
  const { account, api } = useCurrentAccount();
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const isConfirmed = name.trim() === account.name;
  const remove = async () => {
    if (!isConfirmed || busy) return;
    setBusy(true);
    try {
      onStarted(await api.call("DELETE /sample_work", { name: name.trim() }));
      onClose();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("sample.confirm", { account: account.name })} loose={false} onClose={onClose}>
      <form
        className="sample-dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void remove();
        }}
      >
        <p>{t("sample.goes")}</p>
        <dl className="sample-counts">
          {work.counts.map(({ type, count }) => (
            <div key={type}>
              <dt>{pickLabel(type)}</dt>
              <dd className="numbers">{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
        <p>{t("sample.stays")}</p>
        <TextInput
          data-autofocus
          label={t("sample.name", { name: account.name })}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {failure !== null && (
          <p className="form-error" role="alert">
            {errorText(failure)}
          </p>
        )}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" color="red.9" disabled={!isConfirmed} loading={busy}>
            {t("sample.start", { count: countAll(work) })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
