import { Box, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { TokenRules } from "../../api/profile.ts";
import { profileApi } from "../../api/profile.ts";
import { linkTo, navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { buildDraftKey, useSettingsDraft } from "../../drafts/use-settings-draft.ts";
import { showError } from "../../elements/toast.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { Secret } from "../../parts/forms/secret.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { ProofGate } from "../../parts/proof/proof-gate.tsx";
import { ScopeChooser } from "../../parts/scopes/scope-chooser.tsx";
import {
  buildScopes,
  emptySelection,
  parseScopeText,
  type ScopeSelection,
} from "../../parts/scopes/scope-selection.ts";
import { profileQueries } from "../../queries/settings/profile.ts";
import { DraftNote } from "../draft-note.tsx";
import { useAddressSearch } from "../use-address-search.ts";
import { TokenPresets } from "./token-presets.tsx";

type NewTokenValues = { name: string; scopes: ScopeSelection; lifetime: string | null };

/** Generates a token. A link may prefill name and scopes; the person still decides. */
export function NewTokenScreen() {
  const { account } = useCurrentAccount();
  const [prefilled] = useAddressSearch("name", "scopes");
  const queries = useQueryClient();
  const { values, change, draft, isOutdated } = useSettingsDraft<NewTokenValues>(
    buildDraftKey("token/new", prefilled.name, prefilled.scopes),
    {
      name: prefilled.name ?? "",
      scopes: prefilled.scopes === undefined ? emptySelection : parseScopeText(prefilled.scopes),
      lifetime: null,
    },
  );
  const { name, scopes, lifetime } = values;
  const { data: rules } = useQuery(profileQueries.tokenRules());
  const create = useMutation({
    mutationFn: () => profileApi.createToken({ name, scopes: buildScopes(scopes), ...parseLifetime(lifetime) }),
    onSuccess: () => {
      draft.remove();
      return queries.invalidateQueries({ queryKey: profileQueries.tokens().queryKey });
    },
    onError: (error) =>
      ["name", "scopes", "expires_in_days"].some((field) => getFieldError(error, field)) || showError(error),
  });
  const list = paths.tokens(account.id);
  const trail = [{ label: t("tokens.title"), path: list }];
  if (create.data !== undefined) return <NewToken token={create.data.token} list={list} />;
  return (
    <div>
      <PageHeader title={t("tokens.generate")} lead={t("tokens.lead")} trail={trail} />
      <ProofGate />
      <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate();
          }}
        >
          <Stack gap="lg">
            <DraftNote draft={draft} isOutdated={isOutdated} />
            <TextInput
              label={t("tokens.name")}
              description={t("tokens.nameHint")}
              required
              maxLength={128}
              value={name}
              onChange={(event) => change({ name: event.currentTarget.value })}
              error={getFieldError(create.error, "name")}
            />
            <Select
              label={t("tokens.lifetime")}
              description={t("tokens.lifetimeHint")}
              data={rules === undefined ? [] : listLifetimes(rules)}
              value={lifetime ?? (rules === undefined ? null : String(rules.usual_days))}
              onChange={(chosen) => change({ lifetime: chosen })}
              error={getFieldError(create.error, "expires_in_days")}
              allowDeselect={false}
              maw={260}
            />
            <TokenPresets
              onPick={(preset) => change((was) => ({ scopes: { ...preset, accounts: was.scopes.accounts } }))}
            />
            <ScopeChooser
              label={t("tokens.scopes")}
              value={scopes}
              onChange={(picked) => change({ scopes: picked })}
              error={getFieldError(create.error, "scopes")}
            />
            <Group>
              <Button type="submit" loading={create.isPending}>
                {t("tokens.generate")}
              </Button>
              <Button variant="default" onClick={() => navigateTo(list)}>
                {t("form.cancel")}
              </Button>
            </Group>
          </Stack>
        </form>
      </Box>
    </div>
  );
}

const never = "never";

/** Null: nothing was chosen, so the default lifetime applies. */
const parseLifetime = (chosen: string | null): { expires_in_days?: number | null } =>
  chosen === null ? {} : { expires_in_days: chosen === never ? null : Number(chosen) };

function listLifetimes({ usual_days, longest_days, may_never_expire }: TokenRules) {
  const days = [...new Set([7, 30, usual_days, 180, longest_days])].filter((count) => count <= longest_days);
  const choices = days
    .sort((one, other) => one - other)
    .map((count) => ({
      value: String(count),
      label: t("tokens.days", { count }),
    }));
  return may_never_expire ? [...choices, { value: never, label: t("tokens.noExpiry") }] : choices;
}

function NewToken({ token, list }: { token: string; list: string }) {
  const { account } = useCurrentAccount();
  const call = `curl -H "Authorization: Bearer ${token}" -H "account: ${account.id}" "${location.origin}/v1/me"`;
  return (
    <div>
      <PageHeader title={t("tokens.secretTitle")} lead={t("tokens.secretLead")} />
      <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
        <Stack gap="md">
          <Secret name={t("tokens.secretTitle")} value={token} />
          <Text fw={600}>{t("tokens.tryIt")}</Text>
          <Secret name={t("tokens.tryIt")} value={call} />
          <div>
            <Button {...linkTo(list)}>{t("tokens.done")}</Button>
          </div>
        </Stack>
      </Box>
    </div>
  );
}
