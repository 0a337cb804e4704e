import { Button, TextInput } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import IconUserOff from "@tabler/icons-react/dist/esm/icons/IconUserOff.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { privacyApi, type StoredData } from "../../api/privacy.ts";
import { formatNumber } from "../../base/formats.ts";
import { errorText } from "../../elements/error-text.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import type { Reference } from "../../queries/reference.ts";
import { privacyQueries } from "../../queries/settings/privacy.ts";
import { exchangeTypeLabel } from "../exchange/labels.ts";

/** All data stored about one person: counted, exported, anonymized. */
export function PersonData({ onStarted }: { onStarted(): void }) {
  const { account, api: rest } = useCurrentAccount();
  const api = privacyApi(account.id);
  const [person, setPerson] = useState<Reference | null>(null);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const id = person === null ? null : Number(person.id);
  const { data, error, refetch } = useQuery(privacyQueries.storedData(rest, id));
  const startExport = async () => {
    if (id === null || busy) return;
    setBusy(true);
    try {
      await api.exportData(id);
      showMessage(t("privacy.exportStarted"));
      onStarted();
    } catch (failure) {
      showError(failure);
    }
    setBusy(false);
  };
  const isReady = data !== undefined && id !== null;
  useActions([
    {
      id: "privacy.export",
      name: t("privacy.export"),
      group: "settings",
      when: isReady,
      run: () => void startExport(),
    },
    {
      id: "privacy.anonymise",
      name: t("privacy.anonymise"),
      group: "settings",
      when: isReady,
      run: () => setAsking(true),
    },
  ]);
  return (
    <section aria-label={t("privacy.personTitle")}>
      <h2 className="settings-title">{t("privacy.personTitle")}</h2>
      <div className="privacy-person">
        <ReferencePicker to="person" label={t("privacy.person")} value={person} onChange={setPerson} />
        {id !== null && error !== null && <ErrorPanel error={error} retry={() => void refetch()} />}
        {id !== null && data === undefined && error === null && <SkeletonRows rows={3} />}
        {isReady && (
          <>
            <PartCounts parts={data.parts} />
            <div className="privacy-actions">
              <Button
                variant="default"
                loading={busy}
                leftSection={<Icon of={IconDownload} />}
                onClick={() => void startExport()}
              >
                {t("privacy.export")}
              </Button>
              <Button
                variant="default"
                color="red"
                leftSection={<Icon of={IconUserOff} />}
                onClick={() => setAsking(true)}
              >
                {t("privacy.anonymise")}
              </Button>
            </div>
          </>
        )}
      </div>
      {asking && isReady && (
        <AnonymiseDialog
          person={id}
          data={data}
          onStarted={() => {
            setPerson(null);
            onStarted();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

const PartCounts = ({ parts }: { parts: StoredData["parts"] }) => (
  <dl className="privacy-parts">
    {parts.map(({ name, count }) => (
      <div key={name}>
        <dt>{exchangeTypeLabel(name)}</dt>
        <dd className="numbers">{formatNumber(count)}</dd>
      </div>
    ))}
  </dl>
);

type DialogProps = { person: number; data: StoredData; onStarted(): void; onClose(): void };

/** Warns that this can't be undone, and asks for the name. */
function AnonymiseDialog({ person, data, onStarted, onClose }: DialogProps) {
  const { account } = useCurrentAccount();
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isConfirmed = name.trim() === data.name;
  const start = async () => {
    if (!isConfirmed || busy) return;
    setBusy(true);
    try {
      await privacyApi(account.id).anonymize(person, data.name);
      onStarted();
      onClose();
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("privacy.confirm", { name: data.name })} loose={false} onClose={onClose}>
      <form
        className="privacy-dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <p>{t("privacy.goes", { name: data.anonymous_name })}</p>
        <PartCounts parts={data.parts} />
        <p>
          <b>{t("privacy.noUndo")}</b>
        </p>
        <TextInput
          label={t("privacy.typeName", { name: data.name })}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
          autoComplete="off"
          data-autofocus
        />
        <div className="privacy-actions">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" color="red.9" disabled={!isConfirmed} loading={busy}>
            {t("privacy.anonymise")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
