import { Alert, Button, Group, Radio, Stack, Textarea, TextInput } from "@mantine/core";
import type { Application, GrantType } from "../../api/administration.ts";
import { buildDraftKey, useSettingsDraft } from "../../drafts/use-settings-draft.ts";
import { t } from "../../languages/index.ts";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { ScopeChooser } from "../../parts/scopes/scope-chooser.tsx";
import { ScopeDescription } from "../../parts/scopes/scope-description.tsx";
import { buildScopes, emptySelection, parseScopes, parseScopeText } from "../../parts/scopes/scope-selection.ts";
import { DraftNote } from "../draft-note.tsx";

type Props = {
  application?: Application;
  /** values from a link */
  prefilled?: { name?: string; scopes?: string; grant_type?: string };
  error: unknown;
  busy: boolean;
  onSave(values: Record<string, unknown>): Promise<unknown>;
  onCancel(): void;
};

const grants: readonly GrantType[] = ["authorization_code", "client_credentials"];

const startWith = (application: Application | undefined, prefilled: NonNullable<Props["prefilled"]>) => ({
  name: application?.name ?? prefilled.name ?? "",
  description: application?.description ?? "",
  homepage_url: application?.homepage_url ?? "",
  endpoints: application?.endpoints.join("\n") ?? "",
  person: application?.person?.email ?? "",
  grant_type: application?.grant_type ?? grants.find((grant) => grant === prefilled.grant_type) ?? "authorization_code",
  /** null: the form can't represent them */
  scopes: application === undefined ? parseScopeText(prefilled.scopes ?? "") : parseScopes(application.scopes),
});
type Values = ReturnType<typeof startWith>;

export function ApplicationForm({ application, prefilled = {}, error, busy, onSave, onCancel }: Props) {
  const { values, changes, change, draft, isOutdated } = useSettingsDraft<Values>(
    buildDraftKey("application", application?.id ?? "new", prefilled.name, prefilled.scopes, prefilled.grant_type),
    startWith(application, prefilled),
  );
  const { name, description, homepage_url, endpoints, person, grant_type, scopes } = values;
  const forPeople = grant_type === "authorization_code";

  const save = () =>
    onSave({
      name,
      ...(application === undefined ? { grant_type } : {}),
      // Unchanged scopes are not sent: sending them would revoke every token.
      ...(scopes === null || (application !== undefined && changes.scopes === undefined)
        ? {}
        : { scopes: buildScopes(scopes) }),
      ...(forPeople ? { description, homepage_url, endpoints: endpoints.split(/\s+/).filter(Boolean) } : { person }),
    }).then(draft.remove, () => {}); // the caller shows the error
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack gap="lg">
        <DraftNote draft={draft} isOutdated={isOutdated} />
        <TextInput
          label={t("applications.name")}
          required
          maxLength={128}
          value={name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={getFieldError(error, "name")}
        />
        {application === undefined && (
          <Radio.Group
            label={t("applications.grant_type")}
            value={grant_type}
            onChange={(grant) => change({ grant_type: grants.find((each) => each === grant) ?? grant_type })}
            error={getFieldError(error, "grant_type")}
          >
            <Stack gap="xs" mt={6}>
              {grants.map((grant) => (
                <Radio key={grant} value={grant} label={t(`applications.${grant}`)} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        {forPeople ? (
          <PeopleFields values={values} change={change} error={error} />
        ) : (
          <TextInput
            label={t("applications.person")}
            description={t("applications.personHint")}
            type="email"
            required
            value={person}
            onChange={(event) => change({ person: event.currentTarget.value })}
            error={getFieldError(error, "person")}
          />
        )}
        {application !== undefined && scopes === null ? (
          <Alert variant="light" title={t("applications.scopes")}>
            <ScopeDescription scopes={application.scopes} />
            {t("scopes.keep")}
            <div>
              <Button variant="default" size="xs" mt="xs" onClick={() => change({ scopes: emptySelection })}>
                {t("record.edit")}
              </Button>
            </div>
          </Alert>
        ) : (
          <ScopeChooser
            label={t("applications.scopes")}
            value={scopes ?? emptySelection}
            onChange={(picked) => change({ scopes: picked })}
            error={getFieldError(error, "scopes")}
          />
        )}
        {application !== undefined && changes.scopes !== undefined && (
          <Alert color="yellow" variant="light">
            {t("applications.scopesWarning")}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={busy}>
            {t(application === undefined ? "form.create" : "form.save")}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t("form.cancel")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type PeopleProps = { values: Values; change(changed: Partial<Values>): void; error: unknown };

/** For an application that acts for the people who authorize it. */
const PeopleFields = ({ values, change, error }: PeopleProps) => (
  <>
    <Textarea
      label={t("applications.endpoints")}
      description={t("applications.endpointsHint")}
      required
      autosize
      minRows={2}
      value={values.endpoints}
      onChange={(event) => change({ endpoints: event.currentTarget.value })}
      error={getFieldError(error, "endpoints")}
    />
    <Textarea
      label={t("applications.description")}
      description={t("applications.descriptionHint")}
      autosize
      minRows={2}
      value={values.description}
      onChange={(event) => change({ description: event.currentTarget.value })}
      error={getFieldError(error, "description")}
    />
    <TextInput
      label={t("applications.homepage_url")}
      type="url"
      value={values.homepage_url}
      onChange={(event) => change({ homepage_url: event.currentTarget.value })}
      error={getFieldError(error, "homepage_url")}
    />
  </>
);
