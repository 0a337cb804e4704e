import { Button, Checkbox, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import { account as accountType } from "../../../records/people/account.ts";
import type { RecordOf } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { findType } from "../../base/record-types.ts";
import { useSettingsDraft } from "../../drafts/use-settings-draft.ts";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { Link } from "../../elements/link.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel, fieldLabel } from "../../languages/labels.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RecordDetails } from "../../parts/records/record-details.tsx";
import type { Changes, Collision } from "../../parts/save/use-save.ts";
import { Timestamp } from "../../parts/timestamp.tsx";
import { accountQueries } from "../../queries/account.ts";
import { useEnumeration } from "../../queries/index.ts";
import { DraftNote } from "../draft-note.tsx";

const CollisionDialog = lazyPart(async () => (await import("../../parts/save/collision-choice.tsx")).CollisionDialog);

/** The account itself: administrators can change it, all others only view it. */
export function AccountScreen() {
  const { account, api, isAdministrator } = useCurrentAccount();
  const { data, error, refetch } = useQuery(accountQueries.account(api));
  return (
    <div>
      <PageHeader title={t("account.title")} lead={account.name} />
      {error !== null ? (
        <ErrorMessage error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingSkeleton />
      ) : isAdministrator ? (
        <AccountForm row={data} />
      ) : (
        <RecordDetails type={accountType} row={data} />
      )}
    </div>
  );
}

const choices = { locale: "language", time_zone: "time_zone", currency: "account.currency", start_of_week: "weekday" };
const switches = ["time_format_24h", "strong_privacy"] as const;
const names = ["name", ...Object.keys(choices), ...switches] as const;

type Account = RecordOf<typeof accountType>;

const pickValues = (row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.map((name) => [name, row[name]]));

function AccountForm({ row }: { row: Account }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  // Only changes are sent, so that two administrators who change different fields don't conflict.
  const { values, changes, before, change, draft, isOutdated } = useSettingsDraft("account", pickValues(row));
  const [collisions, setCollisions] = useState<readonly Collision[]>([]);
  const isChanged = Object.keys(changes).length > 0;
  const save = useMutation({
    /** `isConfirmed`: the administrator has seen the others' changes */
    mutationFn: async ({ wanted, isConfirmed }: { wanted: Changes; isConfirmed: boolean }) => {
      const now = await api.get("/account");
      const met = Object.keys(wanted)
        .filter((name) => !isConfirmed && now[name] !== before[name] && now[name] !== wanted[name])
        .map((field) => ({ field, mine: wanted[field], theirs: now[field], before: before[field] }));
      setCollisions(met);
      if (met.length > 0) return null;
      return api.change<typeof row>("/account_settings", wanted);
    },
    onSuccess: async (saved) => {
      if (saved === null) return;
      queries.setQueryData(accountQueries.account(api).queryKey, saved);
      draft.remove();
      showMessage(t("account.saved"));
      await Promise.all([
        queries.invalidateQueries({ queryKey: accountQueries.account(api).queryKey }),
        queries.invalidateQueries({ queryKey: accountQueries.who().queryKey }),
      ]);
    },
    onError: (error) => names.some((name) => getFieldError(error, name) !== undefined) || showError(error),
  });
  const answer = (chosen: Changes | null) => {
    setCollisions([]);
    if (chosen !== null) save.mutate({ wanted: { ...changes, ...chosen }, isConfirmed: true });
  };
  const calendars = findType("calendar");
  return (
    <>
      {collisions.length > 0 && (
        <Suspense>
          <CollisionDialog type={accountType} collisions={collisions} onAnswer={answer} />
        </Suspense>
      )}
      <form
        className="card"
        style={{ padding: 20, maxWidth: 760 }}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) save.mutate({ wanted: changes, isConfirmed: false });
        }}
      >
        <Stack gap="md">
          <DraftNote draft={draft} isOutdated={isOutdated} />
          <TextInput
            label={fieldLabel("name")}
            required
            maxLength={128}
            value={String(values.name ?? "")}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={getFieldError(save.error, "name")}
          />
          {Object.entries(choices).map(([name, enumeration]) => (
            <ChoiceInput
              key={name}
              name={name}
              enumeration={enumeration}
              value={String(values[name] ?? "")}
              onChange={(value) => change({ [name]: value })}
              error={getFieldError(save.error, name)}
            />
          ))}
          {switches.map((name) => (
            <Checkbox
              key={name}
              label={fieldLabel(name)}
              checked={values[name] === true}
              onChange={(event) => change({ [name]: event.currentTarget.checked })}
            />
          ))}
          <p className="quiet">
            {t("account.hours")}{" "}
            {calendars !== undefined && (
              <Link to={paths.list(account.id, calendars)} underline="always">
                {collectionLabel(calendars)}
              </Link>
            )}
          </p>
          <div className="dialog-actions" style={{ justifyContent: "flex-start", alignItems: "center" }}>
            <Button type="submit" loading={save.isPending} disabled={!isChanged}>
              {t("form.save")}
            </Button>
            <span className="quiet">
              {t("account.changed")} <Timestamp at={String(row.updated_at)} />
            </span>
          </div>
        </Stack>
      </form>
    </>
  );
}

type ChoiceProps = {
  name: string;
  enumeration: string;
  value: string;
  onChange(value: string | null): void;
  error: ReactNode;
};

function ChoiceInput({ name, enumeration, ...rest }: ChoiceProps) {
  const choices = useEnumeration(enumeration);
  return <Select label={fieldLabel(name)} searchable allowDeselect={false} data={choices} {...rest} />;
}
