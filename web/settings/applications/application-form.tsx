import { Alert, Button, Group, Radio, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { t } from "../../languages/index.ts";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { ScopeChooser } from "../../parts/scopes/scope-chooser.tsx";
import { ScopeDescription } from "../../parts/scopes/scope-description.tsx";
import {
  buildScopes,
  emptySelection,
  parseScopes,
  parseScopeText,
  type ScopeSelection,
} from "../../parts/scopes/scope-selection.ts";
import type { Application, GrantType } from "../../wire.ts";

type Props = {
  application?: Application;
  /** what a link brought along */
  given?: { name?: string; scopes?: string; grant_type?: string };
  error: unknown;
  busy: boolean;
  onSave(values: Record<string, unknown>): void;
  onCancel(): void;
};

const grants: readonly GrantType[] = ["authorization_code", "client_credentials"];

export function ApplicationForm({ application, given = {}, error, busy, onSave, onCancel }: Props) {
  const [name, setName] = useState(application?.name ?? given.name ?? "");
  const [description, setDescription] = useState(application?.description ?? "");
  const [homepage_url, setHomepage] = useState(application?.homepage_url ?? "");
  const [endpoints, setEndpoints] = useState(application?.endpoints.join("\n") ?? "");
  const [person, setPerson] = useState(application?.person?.email ?? "");
  const wanted = grants.find((grant) => grant === given.grant_type) ?? "authorization_code";
  const [grant_type, setGrant] = useState<GrantType>(application?.grant_type ?? wanted);
  const before = application === undefined ? parseScopeText(given.scopes ?? "") : parseScopes(application.scopes);
  const [picked, setPicked] = useState<ScopeSelection | null>(before);
  const forPeople = grant_type === "authorization_code";

  const save = () =>
    onSave({
      name,
      ...(application === undefined ? { grant_type } : {}),
      // Scopes that were not touched are not sent: sending them would end every token.
      ...(picked === null || picked === before ? {} : { scopes: buildScopes(picked) }),
      ...(forPeople ? { description, homepage_url, endpoints: endpoints.split(/\s+/).filter(Boolean) } : { person }),
    });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="lg">
        <TextInput
          label={t("applications.name")}
          required
          maxLength={128}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={getFieldError(error, "name")}
        />
        {application === undefined && (
          <Radio.Group
            label={t("applications.grant_type")}
            value={grant_type}
            onChange={(grant) => setGrant(grant as GrantType)}
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
          <>
            <Textarea
              label={t("applications.endpoints")}
              description={t("applications.endpointsHint")}
              required
              autosize
              minRows={2}
              value={endpoints}
              onChange={(event) => setEndpoints(event.currentTarget.value)}
              error={getFieldError(error, "endpoints")}
            />
            <Textarea
              label={t("applications.description")}
              description={t("applications.descriptionHint")}
              autosize
              minRows={2}
              value={description}
              onChange={(event) => setDescription(event.currentTarget.value)}
              error={getFieldError(error, "description")}
            />
            <TextInput
              label={t("applications.homepage_url")}
              type="url"
              value={homepage_url}
              onChange={(event) => setHomepage(event.currentTarget.value)}
              error={getFieldError(error, "homepage_url")}
            />
          </>
        ) : (
          <TextInput
            label={t("applications.person")}
            description={t("applications.personHint")}
            type="email"
            required
            value={person}
            onChange={(event) => setPerson(event.currentTarget.value)}
            error={getFieldError(error, "person")}
          />
        )}
        {application !== undefined && picked === null ? (
          <Alert variant="light" title={t("applications.scopes")}>
            <ScopeDescription scopes={application.scopes} />
            {t("scopes.keep")}
            <div>
              <Button variant="default" size="xs" mt="xs" onClick={() => setPicked(emptySelection)}>
                {t("record.edit")}
              </Button>
            </div>
          </Alert>
        ) : (
          <ScopeChooser
            label={t("applications.scopes")}
            value={picked ?? emptySelection}
            onChange={setPicked}
            error={getFieldError(error, "scopes")}
          />
        )}
        {application !== undefined && picked !== before && (
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
