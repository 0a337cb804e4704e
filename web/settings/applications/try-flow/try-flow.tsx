import { Alert, Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Application } from "../../../api/administration.ts";
import { administrationApi } from "../../../api/administration.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { ApiError } from "../../../api/index.ts";
import { settingsPaths } from "../../../base/settings-paths.ts";
import { Chip } from "../../../elements/chip.tsx";
import { errorText } from "../../../elements/error-text.ts";
import { showError } from "../../../elements/toast.tsx";
import { Select } from "../../../fields/pickers/select.tsx";
import { t } from "../../../languages/index.ts";
import { leaveIfConnected } from "../../../live/navigation-guard.ts";
import { PageBar } from "../../../parts/page-bar.tsx";
import { ErrorPanel } from "../../../parts/states/error-panel.tsx";
import { Forbidden } from "../../../parts/states/forbidden.tsx";
import { SkeletonRows } from "../../../parts/states/skeleton-rows.tsx";
import { applicationQueries } from "../../../queries/settings/applications.ts";
import { CodeBlock } from "../../developers/code-block.tsx";
import { formatJson } from "../../developers/curl.ts";
import {
  buildForm,
  consumeFlow,
  createChallenge,
  createRandom,
  type FlowStep,
  type PendingFlow,
  readTokens,
  storeFlow,
  takeStep,
} from "./oauth-steps.ts";
import "../../../styles/settings/developers.css";

/** Gets a token like the application would, and shows every call. */
export function TryFlowScreen({ id }: { id: number }) {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(applicationQueries.one(api, id));
  if (error instanceof ApiError && error.status === 403) return <Forbidden />;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} level={1} />;
  if (data === undefined) return <SkeletonRows rows={8} />;
  return <TryFlow application={data} />;
}

type FollowUp = "use" | "refresh" | "revoke";
type Tokens = { access: string; refresh: string | null; flow: PendingFlow };

function TryFlow({ application }: { application: Application }) {
  const { account } = useCurrentAccount();
  const [steps, setSteps] = useState<readonly FlowStep[]>([]);
  const [tokens, setTokens] = useState<Tokens | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const redirect = location.origin + settingsPaths.tryApplication(account.id, application.id);
  const add = (step: FlowStep) => setSteps((before) => [...before, step]);

  /** Requests a token, and uses it once. */
  const obtain = async (flow: PendingFlow, values: Record<string, string>, title: string) => {
    const { client_id, client_secret } = flow;
    const form = buildForm("/oauth/token", { ...values, client_id, client_secret });
    const step = await takeStep(title, form, [client_secret]);
    add(step);
    const { access_token: access, refresh_token: refresh = null } = readTokens(step);
    if (access === undefined) return setTokens(null);
    setTokens({ access, refresh, flow });
    await use(access);
  };
  const use = async (access: string) =>
    add(
      await takeStep(
        t("tryFlow.useStep"),
        { method: "GET", path: "/v1/me", headers: { Authorization: `Bearer ${access}`, account: account.id } },
        [],
      ),
    );

  // The return from the consent page: the code is removed from the address immediately.
  const isBack = useRef(false);
  const finish = useRef(obtain);
  finish.current = obtain;
  useEffect(() => {
    const parameters = new URLSearchParams(location.search);
    if (isBack.current || (!parameters.has("code") && !parameters.has("error"))) return;
    isBack.current = true;
    history.replaceState(history.state, "", location.pathname);
    const flow = consumeFlow();
    if (flow === null || flow.state !== parameters.get("state")) return setProblem(t("tryFlow.foreignAnswer"));
    const refused = parameters.get("error");
    if (refused !== null) return setProblem(`${refused}: ${parameters.get("error_description") ?? ""}`);
    const values = { grant_type: "authorization_code", code: parameters.get("code") ?? "", redirect_uri: redirect };
    finish
      .current(flow, { ...values, code_verifier: flow.verifier }, t("tryFlow.codeStep"))
      .catch((error: unknown) => setProblem(errorText(error)));
  }, [redirect]);

  const start = useMutation({
    mutationFn: async ({ client_id, client_secret }: Pick<PendingFlow, "client_id" | "client_secret">) => {
      setProblem(null);
      setSteps([]);
      const flow = { client_id, client_secret, verifier: createRandom(), state: createRandom() };
      if (application.grant_type === "client_credentials")
        return obtain(flow, { grant_type: "client_credentials" }, t("tryFlow.credentialsStep"));
      storeFlow(flow);
      const query = new URLSearchParams({
        ...{ response_type: "code", client_id, redirect_uri: redirect, state: flow.state },
        ...{ code_challenge: await createChallenge(flow.verifier), code_challenge_method: "S256" },
      });
      await leaveIfConnected(() => location.assign(`/oauth/authorize?${query}`));
    },
    onError: (error) => setProblem(errorText(error)),
  });
  const after = useMutation({
    mutationFn: async (what: FollowUp) => {
      if (tokens === null) return;
      const { access, refresh, flow } = tokens;
      if (what === "use") return use(access);
      if (what === "refresh")
        return obtain(flow, { grant_type: "refresh_token", refresh_token: refresh ?? "" }, t("tryFlow.refreshStep"));
      const { client_id, client_secret } = flow;
      const form = buildForm("/oauth/revoke", { token: access, client_id, client_secret });
      add(await takeStep(t("tryFlow.revokeStep"), form, [client_secret]));
      await use(access);
      setTokens(null);
    },
    onError: showError,
  });
  const needsRedirect = application.grant_type === "authorization_code" && !application.endpoints.includes(redirect);
  return (
    <div className="page">
      <PageBar
        title={t("tryFlow.title")}
        trail={[
          { label: t("applications.title"), path: settingsPaths.applications(account.id) },
          { label: application.name, path: settingsPaths.application(account.id, application.id) },
        ]}
      />
      <div className="page-body sandbox-page">
        <p className="reference-text">{t(`tryFlow.${application.grant_type}`)}</p>
        {problem !== null && (
          <Alert color="red" role="alert" mb="md">
            {problem}
          </Alert>
        )}
        {needsRedirect ? (
          <AddRedirect application={application} redirect={redirect} />
        ) : (
          <StartForm application={application} busy={start.isPending} onStart={(values) => start.mutate(values)} />
        )}
        <ol className="flow-steps" aria-live="polite">
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added
            <Step key={index} number={index + 1} step={step} />
          ))}
        </ol>
        {tokens !== null && <FollowUps tokens={tokens} busy={after.isPending} onChoose={after.mutate} />}
      </div>
    </div>
  );
}

type FollowUpProps = { tokens: Tokens; busy: boolean; onChoose(what: FollowUp): void };

/** Follow-up calls with the token. */
const FollowUps = ({ tokens, busy, onChoose }: FollowUpProps) => (
  <Group>
    <Button variant="default" loading={busy} onClick={() => onChoose("use")}>
      {t("tryFlow.use")}
    </Button>
    {tokens.refresh !== null && (
      <Button variant="default" loading={busy} onClick={() => onChoose("refresh")}>
        {t("tryFlow.refresh")}
      </Button>
    )}
    <Button variant="default" c="var(--red)" loading={busy} onClick={() => onChoose("revoke")}>
      {t("tryFlow.revoke")}
    </Button>
  </Group>
);

/** After consent the browser returns only to registered addresses, so this page must be one of them. */
function AddRedirect({ application, redirect }: { application: Application; redirect: string }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () =>
      administrationApi(account.id).changeApplication(application.id, {
        endpoints: [...application.endpoints, redirect],
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: applicationQueries.all(api) }),
    onError: showError,
  });
  return (
    <Alert color="blue" variant="light" mb="md">
      <Stack align="flex-start" gap="xs">
        {t("tryFlow.needsRedirect")}
        <code className="wrap">{redirect}</code>
        <Button size="xs" loading={add.isPending} onClick={() => add.mutate()}>
          {t("tryFlow.addRedirect")}
        </Button>
      </Stack>
    </Alert>
  );
}

type FormProps = {
  application: Application;
  busy: boolean;
  onStart(values: { client_id: string; client_secret: string }): void;
};

function StartForm({ application, busy, onStart }: FormProps) {
  const pairs = application.clients.filter(({ disabled }) => !disabled).map(({ client_id }) => client_id);
  const [client, setClient] = useState<string | null>(pairs[0] ?? null);
  const [secret, setSecret] = useState("");
  if (client === null) return <Alert color="yellow">{t("applications.noPairs")}</Alert>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onStart({ client_id: client, client_secret: secret.trim() });
      }}
    >
      <Group align="flex-end" mb="md">
        <Select
          label={t("applications.clientId")}
          data={pairs}
          value={client}
          allowDeselect={false}
          onChange={setClient}
          w={280}
        />
        <PasswordInput
          label={t("applications.clientSecret")}
          description={t("tryFlow.secretLead")}
          value={secret}
          autoComplete="off"
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
          w={320}
        />
        <Button type="submit" loading={busy} disabled={secret.trim() === ""}>
          {t("tryFlow.start")}
        </Button>
      </Group>
    </form>
  );
}

const Step = ({ number, step: { title, request, answer } }: { number: number; step: FlowStep }) => (
  <li className="sandbox-card">
    <div className="sandbox-head">
      <h2>
        {number}. {title} <Chip tone={answer.status >= 400 ? "red" : "green"}>{answer.status}</Chip>
      </h2>
    </div>
    <CodeBlock label={t("apiPages.sent")} text={request} />
    <CodeBlock label={t("apiPages.answered")} text={formatJson(answer.body)} />
  </li>
);
