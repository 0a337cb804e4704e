import { Button, Checkbox, Modal, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import IconTemplate from "@tabler/icons-react/dist/esm/icons/IconTemplate.mjs";
import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { request as requestType } from "../../../records/work/request.ts";
import { useActions } from "../../actions/registry.ts";
import { ApiError, type Row } from "../../api.ts";
import { CurrentAccountContext, useCurrentAccount } from "../../current-account.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { focusMarked } from "../../parts/dialogs/dialog-focus.ts";
import { errorText } from "../../parts/error-text.ts";
import { findProblem, listInputs } from "../../parts/forms/extension-values.ts";
import { Kbd } from "../../parts/kbd.tsx";
import { Link } from "../../parts/link.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import { isAdministrator } from "../../permissions.ts";
import { getReferenceName } from "../../queries/reference.ts";
import { DraftNote } from "../request/composer/draft-note.tsx";
import { useFiles } from "../request/composer/use-files.ts";
import { referenceOf, textOf } from "../request/page-parts.ts";
import { useTeamMembers } from "../request/queries.ts";
import { AccountChoice, type WorkAccount } from "./account-choice.tsx";
import { buildRequestBody, furtherFields } from "./build-body.ts";
import { DetailsBox } from "./details-box.tsx";
import { customName, emptyState, isBlank, type NewRequestState, parseState } from "./form-state.ts";
import { FurtherField, ServiceSelect } from "./inputs.tsx";
import { PersonSelect } from "./person-select.tsx";
import { useDryRun, useSuggestions, useTemplateForm } from "./queries.ts";
import { SuggestionPanel } from "./suggestion-panel.tsx";
import { pickTemplates, TemplateChips } from "./template-chips.tsx";
import { WillBecome } from "./will-become.tsx";
import "../../styles/request.css";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";

/** In the order of the dialog: the first that is refused gets the focus. */
const firstFields: readonly string[] = ["requested_for", "subject", "service_instance", "note", "template"];

const TemplateFields = lazyPart(async () => (await import("./template-fields.tsx")).default);

// A new request from anywhere in ten seconds: three inputs, the rest is derived and shown as one line.

/** Whoever works in several accounts registers it in any of them, from wherever they are. */
export function NewRequestDialog({ onClose }: { onClose(): void }) {
  const here = useCurrentAccount();
  const [account, setAccount] = useState<WorkAccount>(here.account);
  const chosen = useMemo(() => ({ who: here.who, account }), [here.who, account]);
  return (
    <CurrentAccountContext value={chosen}>
      <NewRequestForm onAccount={setAccount} onClose={onClose} />
    </CurrentAccountContext>
  );
}

/** The service desk registers requests for everybody. */
const mayRegisterForOthers = ({ roles }: WorkAccount): boolean =>
  roles.includes("service_desk_analyst") || isAdministrator(roles);

function NewRequestForm({ onAccount, onClose }: { onAccount(account: WorkAccount): void; onClose(): void }) {
  const { account, api, who } = useCurrentAccount();
  const queries = useQueryClient();
  const phone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  const draft = useDraft("new/request");
  const [own, setOwn] = useState<NewRequestState | null>(null);
  const state = own ?? parseState(draft.text);
  // Two answers may change the form in the same moment: neither may take back what the other one has filled in.
  const set = (change: Partial<NewRequestState> | ((was: NewRequestState) => Partial<NewRequestState>)) =>
    setOwn((current) => {
      const was = current ?? parseState(draft.text);
      return { ...was, ...(typeof change === "function" ? change(was) : change) };
    });
  const { setText: keepDraft } = draft;
  useEffect(() => {
    if (own !== null) keepDraft(isBlank(own) ? "" : JSON.stringify(own));
  }, [own, keepDraft]);
  const [more, setMore] = useState(false);
  const [another, setAnother] = useState(false);
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  /** the field that gets the focus next */
  const [focused, setFocused] = useState<{ field: string } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const subject = useRef<HTMLInputElement>(null);
  const details = useRef<HTMLTextAreaElement>(null);
  const templateInput = useRef<HTMLInputElement>(null);
  const files = useFiles(draft);
  const fieldFiles = useFiles(draft, "custom_fields");
  const { data: templateForm } = useTemplateForm(state.template);
  const fields = state.template === null ? [] : (templateForm?.fields ?? []);
  useActions(
    [
      {
        id: "newRequest.templates",
        name: t("newRequest.template"),
        group: "write",
        keys: "t",
        icon: IconTemplate,
        run: () => templateInput.current?.focus(),
      },
    ],
    { inDialog: true },
  );
  const mayChooseOther = mayRegisterForOthers(account);
  const suggestions = useSuggestions(state.subject, state.requested_for);
  const given = {
    files: files.files,
    mentions: draft.mentions,
    fields,
    fieldFiles: fieldFiles.files,
    me: who.person.id,
  };
  const body = buildRequestBody(state, given);
  // What is written into texts and forms changes nothing of what the request becomes.
  const { note: _, note_attachments: __, member_id: ___, custom_fields: ____, ...tried } = body;
  const dryRun = useDryRun(
    state.assignToMe ? { ...tried, member_id: body.member_id } : tried,
    state.subject.trim() !== "",
  );
  const outcome = dryRun.isError ? undefined : dryRun.data;
  const team = outcome === undefined ? null : referenceOf(outcome, "team");
  const members = useTeamMembers(team);
  const isInTeam = members.data?.some(({ id }) => id === who.person.id) ?? false;
  const [suggested] = suggestions.data?.services ?? [];
  const suggestedId = suggested?.id;
  const similar = suggestions.data?.similar.length ?? 0;

  // The best match is taken until the person chooses; a later one replaces it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: reacts to the suggestion alone
  useEffect(() => {
    if (state.serviceIsChosen || suggested === undefined || suggestions.isPlaceholderData) return;
    set({ service_instance: { id: suggested.id, name: textOf(suggested, "name") } });
  }, [suggestedId, suggestions.isPlaceholderData]);

  /** The message at its field, and the focus on the first. */
  const refuse = (error: unknown) => {
    const problems = new Map(
      error instanceof ApiError ? error.problems.map(([name, text]) => [name.replace(/_id$/, ""), text]) : [],
    );
    setErrors(problems);
    const shownFields = [...firstFields, ...fields.map(({ id }) => customName(id)), ...furtherFields];
    const first = shownFields.find((name) => problems.has(name));
    if (furtherFields.some((name) => problems.has(name))) setMore(true);
    setFailure(
      first === undefined || problems.size > shownFields.filter((name) => problems.has(name)).length ? error : null,
    );
    setFocused(first === undefined ? null : { field: first });
  };
  // The fields behind "Change" have to be there before one of them can have the focus.
  useEffect(() => {
    if (focused === null) return;
    const box = form.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(focused.field)}"]`);
    (box?.matches("input, textarea") ? box : box?.querySelector<HTMLElement>("input, textarea, button"))?.focus();
  }, [focused]);
  const create = async (opens: boolean) => {
    if (busy || draft.isUploading) return;
    // The server would name the request after its category: nobody finds that again.
    if (state.subject.trim() === "" && state.template === null)
      return refuse(new ApiError(422, "", [["subject", t("newRequest.problem.required")]]));
    const unanswered = listInputs(fields, state.custom).flatMap((field): [string, string][] => {
      const problem = findProblem(field, state.custom[field.id] ?? "");
      return problem === null ? [] : [[customName(field.id), t(`newRequest.problem.${problem}`)]];
    });
    if (unanswered.length > 0) return refuse(new ApiError(422, "", unanswered));
    setBusy(true);
    setErrors(new Map());
    setFailure(null);
    try {
      const made = await api.create("/requests", body);
      draft.remove();
      void queries.invalidateQueries({ queryKey: [account.id, "list"] });
      void queries.invalidateQueries({ queryKey: [account.id, "inbox"] });
      const path = paths.record(account.id, requestType, made.id);
      showMessage(
        <>
          {t("newRequest.created", { id: String(made.id) })} <Link to={path}>{t("newRequest.open")}</Link>
        </>,
      );
      if (another) {
        setOwn({ ...emptyState, requested_for: null });
        setFocused({ field: mayChooseOther ? "requested_for" : "subject" });
      } else {
        onClose();
        if (opens) navigateTo(path);
      }
    } catch (error) {
      refuse(error);
    } finally {
      setBusy(false);
    }
  };
  const addTo = async (similar: Row) => {
    const person = state.requested_for === null ? who.person.name : getReferenceName(state.requested_for);
    const text = [`*${person}*: ${state.subject.trim()}`, state.details.trim()]
      .filter((part) => part !== "")
      .join("\n\n");
    try {
      await api.create(`/requests/${similar.id}/notes`, { text });
      draft.remove();
      showMessage(t("newRequest.addedTo", { id: String(similar.id) }));
      onClose();
    } catch (error) {
      showError(error);
    }
  };
  const carried = useRef<{ files: readonly File[]; mentions: typeof draft.mentions } | null>(null);
  /** What is typed goes along; service, template and further fields are those of the other account. */
  const moveTo = (next: WorkAccount) => {
    draft.remove();
    const { subject, details, requested_for } = state;
    const person = mayRegisterForOthers(next) ? requested_for : null;
    setOwn(isBlank(state) ? null : { ...emptyState, subject, details, requested_for: person });
    carried.current = { files: files.files.flatMap(({ source }) => source ?? []), mentions: draft.mentions };
    const left = files.files.filter(({ source }) => source === undefined).map(({ name }) => name);
    if (left.length > 0) showMessage(t("newRequest.filesLeft", { names: left.join(", ") }));
    setErrors(new Map());
    setFailure(null);
    onAccount(next);
  };
  // A file belongs to the account that it was uploaded to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each account
  useEffect(() => {
    if (carried.current === null) return;
    files.add(carried.current.files);
    draft.set({ mentions: carried.current.mentions });
    carried.current = null;
  }, [account.id]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    const isChoice = event.target instanceof Element && event.target.getAttribute("role") === "combobox";
    if (!(event.metaKey || event.ctrlKey)) {
      // Enter in a list chooses; it does not create the request as in other inputs.
      if (isChoice) event.preventDefault();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    void create(event.shiftKey);
  };
  const templates = pickTemplates(suggestions.data?.templates ?? [], state.template);
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={964}
      centered={!phone}
      fullScreen={phone === true}
      closeOnClickOutside={false}
    >
      <Modal.Overlay />
      {/* Keys act wherever in the dialog the focus is, also on the choice of the account. */}
      <Modal.Content ref={focusMarked} onKeyDownCapture={onKeyDown}>
        <Modal.Header role="presentation" className="new-request-bar">
          <div className="new-request-head">
            <Modal.Title fw={650} fz="lg">
              {t("newRequest.title")}
            </Modal.Title>
            <span className="quiet">{t("newRequest.in")}</span>
            <AccountChoice onChoose={moveTo} />
            <DraftNote draft={draft} />
          </div>
          <Modal.CloseButton aria-label={t("app.close")} />
        </Modal.Header>
        <Modal.Body p={0}>
          <form
            ref={form}
            onSubmit={(event) => {
              event.preventDefault();
              void create(false);
            }}
          >
            <div className="new-request-body">
              <div className="new-request-form">
                <div className="new-request-fields">
                  <PersonSelect
                    label={t("newRequest.for")}
                    description={mayChooseOther ? undefined : t("newRequest.forFixed")}
                    disabled={!mayChooseOther}
                    placeholder={who.person.name}
                    value={state.requested_for}
                    error={errors.get("requested_for")}
                    onChange={(requested_for) => set({ requested_for })}
                  />
                  <TextInput
                    ref={subject}
                    className="new-request-about"
                    label={t("newRequest.about")}
                    withAsterisk
                    {...(mayChooseOther ? {} : { "data-autofocus": true })}
                    data-field="subject"
                    maxLength={255}
                    value={state.subject}
                    error={errors.get("subject")}
                    onChange={(event) => set({ subject: event.currentTarget.value })}
                  />
                  <ServiceSelect
                    state={state}
                    error={errors.get("service_instance")}
                    suggested={!state.serviceIsChosen && state.service_instance !== null}
                    options={suggestions.data?.services ?? []}
                    onChange={(service_instance) =>
                      set({ service_instance, serviceIsChosen: service_instance !== null })
                    }
                  />
                </div>
                <DetailsBox
                  inputRef={details}
                  value={state.details}
                  error={errors.get("note")}
                  files={files}
                  onChange={(text) => set({ details: text })}
                  onMention={({ words, mark }) =>
                    draft.set((was) => ({ mentions: { ...was.mentions, [words]: mark } }))
                  }
                  onSend={() => void create(false)}
                />
                <TemplateChips
                  inputRef={templateInput}
                  templates={templates}
                  chosen={state.template}
                  error={errors.get("template")}
                  onChange={(template) => set({ template })}
                />
                {fields.length > 0 && (
                  <Suspense>
                    <TemplateFields
                      title={templateForm?.title ?? null}
                      fields={fields}
                      values={state.custom}
                      errors={errors}
                      files={fieldFiles}
                      onChange={(id, value) => set(({ custom }) => ({ custom: { ...custom, [id]: value } }))}
                    />
                  </Suspense>
                )}
                <WillBecome record={outcome} open={more} onOpen={() => setMore((was) => !was)} />
                {more && (
                  <div className="new-request-pair">
                    {furtherFields.map((name) => (
                      <FurtherField
                        key={name}
                        name={name}
                        value={state.more[name] ?? null}
                        derived={outcome}
                        error={errors.get(name)}
                        onChange={(value) => set((was) => ({ more: { ...was.more, [name]: value } }))}
                      />
                    ))}
                  </div>
                )}
                {failure !== null && (
                  <p className="form-error" role="alert">
                    {errorText(failure)}
                  </p>
                )}
              </div>
              <aside
                className="new-request-side"
                hidden={phone === true && similar === 0 && suggestions.data?.articles.length === 0}
                aria-label={t("newRequest.suggestions")}
              >
                {/* On a phone one line, until it is wanted. */}
                <Folded when={phone === true} label={t("newRequest.few", { count: similar })}>
                  <SuggestionPanel
                    suggestions={suggestions.data}
                    person={state.requested_for}
                    article={state.knowledge_article}
                    onArticle={(knowledge_article) => set({ knowledge_article })}
                    onAddTo={(row) => void addTo(row)}
                  />
                </Folded>
              </aside>
            </div>
            <div className="new-request-foot">
              {isInTeam && (
                <Checkbox
                  label={t("newRequest.toMe")}
                  checked={state.assignToMe}
                  onChange={(event) => set({ assignToMe: event.currentTarget.checked })}
                />
              )}
              <Checkbox
                label={t("newRequest.another")}
                checked={another}
                onChange={(event) => setAnother(event.currentTarget.checked)}
              />
              <div className="new-request-buttons">
                <Button
                  variant="subtle"
                  onClick={() => {
                    draft.remove();
                    onClose();
                  }}
                >
                  {t("newRequest.discard")}
                </Button>
                <Button type="submit" loading={busy} rightSection={<Kbd keys="mod+enter" />}>
                  {t("newRequest.create")}
                </Button>
              </div>
            </div>
          </form>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Folded({ when, label, children }: { when: boolean; label: string; children: ReactNode }) {
  if (!when) return children;
  return (
    <details className="new-request-folded">
      <summary>{label}</summary>
      {children}
    </details>
  );
}
