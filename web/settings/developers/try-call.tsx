import { Alert, Button, Group, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type RawAnswer, sendRaw } from "../../api/call.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { loadBearerToken } from "../../api/session.ts";
import { paths } from "../../base/paths.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { buildDraftKey } from "../../drafts/use-settings-draft.ts";
import { Chip } from "../../elements/chip.tsx";
import { errorText } from "../../elements/error-text.ts";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { type Operation, readValues } from "./api-document.ts";
import { CodeBlock } from "./code-block.tsx";
import { CopyTextButton } from "./copy-button.tsx";
import { buildCurl, formatJson } from "./curl.ts";

const mostShown = 20_000;

type Values = Readonly<Record<string, string>>;

/** The address of the call with the values of its parameters. */
function buildPath({ path, parameters }: Operation, values: Values): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const query = parameters.flatMap(({ name, in: place }) => {
    const value = values[name] ?? "";
    return place === "query" && value !== "" ? [[name, value]] : [];
  });
  return `/v1${filled.replace(/^\/v1/, "")}${query.length === 0 ? "" : `?${new URLSearchParams(query)}`}`;
}

type Props = {
  operation: Operation;
  /** a logged call whose values are filled in */
  called: { path: string; body: string | null } | null;
};

/** One operation: its parameters, examples to copy, and a form that makes the call. */
export function TryCall({ operation, called }: Props) {
  const { account } = useCurrentAccount();
  const [start] = useState(() => ({
    values: called === null ? {} : readValues(operation, called.path),
    body: called?.body ? formatJson(called.body) : (operation.body ?? ""),
  }));
  const key = buildDraftKey("settings/call", operation.id, called?.path);
  const { values: typed, change, draft } = useFormDraft<{ values: Values; body: string }>(key, start);
  const [secretBody, setSecretBody] = useState(start.body);
  const takesSecret = /password|secret/.test(operation.body ?? "");
  const { values } = typed;
  const body = takesSecret ? secretBody : typed.body;
  const [language, setLanguage] = useState("curl");
  const path = buildPath(operation, values);
  const { method } = operation;
  const hasBody = operation.body !== null;
  const calling = useMutation({
    mutationFn: async (): Promise<RawAnswer> =>
      sendRaw({
        ...{ method, path },
        headers: {
          Authorization: `Bearer ${await loadBearerToken()}`,
          account: account.id,
          Accept: "application/json",
          ...(hasBody ? { "Content-Type": "application/json" } : {}),
        },
        body: hasBody ? body : undefined,
      }),
  });
  const missing = operation.parameters.some(({ name, in: place }) => place === "path" && (values[name] ?? "") === "");
  const headers = { Authorization: "Bearer $TOKEN", account: account.id };
  const sample =
    language === "curl"
      ? buildCurl(
          method,
          location.origin + path,
          { ...headers, ...(hasBody ? { "Content-Type": "application/json" } : {}) },
          hasBody ? body : null,
        )
      : buildTypeScript(method, location.origin + path, account.id, hasBody ? body : null);
  return (
    <article className="reference-call">
      <h2>
        <span className="log-method" data-method={method}>
          {method}
        </span>{" "}
        {operation.summary}
      </h2>
      <code className="wrap">{operation.path}</code>
      {operation.description !== "" && <p className="reference-text">{operation.description}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          calling.mutate();
        }}
      >
        <RestoredDraft draft={draft} onDiscard={draft.remove} />
        <div className="fields">
          {operation.parameters.map(({ name, in: place, description, schema }) => (
            <TextInput
              key={`${place} ${name}`}
              label={name}
              description={description}
              placeholder={schema?.enum?.slice(0, 4).join(", ") ?? schema?.type ?? ""}
              required={place === "path"}
              value={values[name] ?? ""}
              onChange={({ currentTarget: { value } }) =>
                change((was) => ({ values: { ...was.values, [name]: value } }))
              }
            />
          ))}
        </div>
        {hasBody && (
          <Textarea
            label={t("apiPages.body")}
            value={body}
            autosize
            minRows={4}
            maxRows={20}
            spellCheck={false}
            classNames={{ input: "reference-body" }}
            onChange={({ currentTarget: { value } }) => (takesSecret ? setSecretBody(value) : change({ body: value }))}
          />
        )}
        <Group mt="md">
          <Button type="submit" loading={calling.isPending} disabled={missing}>
            {t("apiPages.try")}
          </Button>
          {method !== "GET" && <span className="log-note">{t("apiPages.realCall")}</span>}
        </Group>
      </form>
      <div aria-live="polite">
        {calling.error !== null && <Alert color="red">{errorText(calling.error)}</Alert>}
        {calling.data !== undefined && <Answer answer={calling.data} />}
      </div>
      <h3>{t("apiPages.example")}</h3>
      <Group>
        <SegmentedControl
          size="xs"
          aria-label={t("webhookOverview.language")}
          data={["curl", "TypeScript"]}
          value={language}
          onChange={setLanguage}
        />
        <CopyTextButton label={t("secret.copy")} text={sample} />
      </Group>
      <CodeBlock label={t("apiPages.example")} text={sample} />
    </article>
  );
}

function Answer({ answer }: { answer: RawAnswer }) {
  const { account } = useCurrentAccount();
  const id = answer.headers["x-request-id"] ?? "";
  const text = formatJson(answer.body);
  return (
    <section className="reference-answer">
      <Group>
        <Chip tone={answer.status >= 400 ? "red" : "green"}>{answer.status}</Chip>
        <span>{t("webhooks.took", { milliseconds: answer.milliseconds })}</span>
        {answer.status >= 400 ? (
          <Link to={`${paths.requestLog(account.id)}?request_id=${id}`}>{id}</Link>
        ) : (
          <code>{id}</code>
        )}
      </Group>
      <CodeBlock
        label={t("apiPages.answered")}
        text={text.length > mostShown ? `${text.slice(0, mostShown)}…` : text || t("apiPages.noBody")}
      />
    </section>
  );
}

const buildTypeScript = (method: string, uri: string, account: string, body: string | null): string =>
  `const response = await ${"fetch"}(${JSON.stringify(uri)}, {
  method: ${JSON.stringify(method)},
  headers: {
    Authorization: \`Bearer \${process.env.TOKEN}\`,
    account: ${JSON.stringify(account)},${body === null ? "" : '\n    "Content-Type": "application/json",'}
  },${body === null ? "" : `\n  body: JSON.stringify(${body.replaceAll("\n", "\n  ")}),`}
});
if (!response.ok) throw new Error(\`\${response.status} \${response.headers.get("X-Request-Id")}\`);
${method === "DELETE" ? "" : "console.log(await response.json());"}`;
