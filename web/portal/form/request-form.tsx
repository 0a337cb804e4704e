import { type FormEvent, useId, useMemo, useRef, useState } from "react";
import { ApiError, type PortalForm, type Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import {
  buildCustomFields,
  type FormValues,
  findProblem,
  isShown,
  listInputs,
  type Problem,
  parseDraft,
} from "../../parts/forms/extension-values.ts";
import { Icon } from "../../parts/icon.tsx";
import { useAddresses } from "../addresses.ts";
import { describeError, showError, showMessage } from "../frame/toasts.tsx";
import { tileOf, tiles } from "../home/tiles.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { Markup } from "../parts/markup.tsx";
import { formatUsual } from "../parts/spans.ts";
import { TextWithFiles } from "../parts/text-with-files.tsx";
import { appendPictures, toAttachments, useFiles } from "../parts/use-files.ts";
import { useRefresh } from "../queries.ts";
import { navigateTo } from "../router.tsx";
import { t } from "../words.ts";
import { ExtensionField } from "./extension-field.tsx";
import { ExtensionFrame, type FrameHandle } from "./extension-frame.tsx";
import { hasAnswer, parseKeptValues } from "./extension-messages.ts";
import { Quicker, WhatHappens } from "./form-side.tsx";
import { type Person, PersonChoice } from "./person-choice.tsx";

export type Device = Row & { name: string; label?: string; location?: string | null; service?: number };

type Props = {
  form: PortalForm | null;
  device: Device | null;
  devices: readonly Device[];
  /** the number on a label whose device the person may not read */
  unknownLabel: string | null;
};

const mostFields = 6;

/** The values that every form has; those of an extension stand beside them under their own names. */
const own = { subject: " subject", details: " details", device: " device", person: " person", frame: " frame" };

const parsePerson = (text: string | undefined): Person | null => {
  const [id, name] = (text ?? "").split("\n");
  return id === undefined || name === undefined ? null : { id: Number(id), name };
};

/** At most six fields; further ones are behind "More details". What is typed is kept until it is sent. */
export function RequestForm({ form, device, devices, unknownLabel }: Props) {
  const { who, account, api } = useCurrentAccount();
  const at = useAddresses();
  const refresh = useRefresh();
  const template = form?.template ?? null;
  const draft = useDraft(`portal/new/${template?.id ?? (device === null ? "free" : `device-${device.id}`)}`);
  const asked = useMemo(() => new URLSearchParams(location.search).get("text") ?? "", []);
  const initial = useMemo((): FormValues => {
    if (unknownLabel !== null) return { [own.details]: t("form.deviceNumber", { number: unknownLabel }) };
    if (asked !== "") return { [template === null ? own.subject : own.details]: asked };
    return device === null ? {} : { [own.subject]: t("form.deviceSubject", { name: device.name }) };
  }, [asked, template, device, unknownLabel]);
  const values = draft.text === "" ? initial : parseDraft(draft.text);
  // Two fields may change before the page is drawn again: the second change keeps the first one.
  const latest = useRef(values);
  latest.current = values;
  const setValue = (name: string, value: string) => {
    latest.current = { ...latest.current, [name]: value };
    draft.setText(JSON.stringify(latest.current));
  };
  const files = useFiles(draft);
  const fieldFiles = useFiles(draft, "custom_fields");
  const [problems, setProblems] = useState<Readonly<Record<string, Problem>>>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [more, setMore] = useState(false);
  const [busy, setBusy] = useState(false);
  const formElement = useRef<HTMLFormElement>(null);
  const id = useId();

  const mayAskForOthers = account.roles.length > 0;
  const person = parsePerson(values[own.person]);
  const version = form?.frame ?? null;
  const frame = useRef<FrameHandle>(null);
  const fields = version === null ? (form?.fields ?? []) : [];
  const shown = fields.filter((field) => isShown(field, fields, values));
  const hasNote = form?.hide_note !== true;
  const isFree = template === null;
  const fixed = Number(mayAskForOthers) + Number(isFree) + Number(devices.length > 0) + Number(hasNote);
  const inputs = listInputs(fields, values);
  // A required field is never hidden behind "More details".
  const room = Math.max(0, mostFields - fixed);
  const late = new Set(
    inputs.length <= room ? [] : inputs.filter(({ required }, index) => !required && index >= room).map((f) => f.id),
  );
  const title =
    template?.localized_subject ?? template?.subject ?? (device === null ? t("form.free") : t("form.deviceTitle"));
  const tile = template === null ? undefined : tiles.find(({ key }) => key === tileOf(template));
  const isBroken = template === null || template.category === "incident";
  const details = values[own.details] ?? "";
  const subject = values[own.subject] ?? "";
  const searched = [subject, details, ...inputs.filter(({ kind }) => kind === "text").map((f) => values[f.id] ?? "")]
    .join(" ")
    .trim();

  const check = (): boolean => {
    const found: Record<string, Problem> = {};
    for (const field of inputs) {
      const problem = findProblem(field, values[field.id] ?? "");
      if (problem !== null) found[field.id] = problem;
    }
    if (isFree && subject.trim() === "") found[own.subject] = "required";
    setProblems(found);
    if (Object.keys(found).length === 0) {
      if (version === null || frame.current?.check() === true) return true;
      setRefusal(t("form.problem.frame"));
      return false;
    }
    if (Object.keys(found).some((name) => late.has(name))) setMore(true);
    requestAnimationFrame(() =>
      formElement.current?.querySelector<HTMLElement>("[aria-invalid], fieldset[data-invalid]")?.focus(),
    );
    return false;
  };

  const buildBody = (): Record<string, unknown> => {
    const note = appendPictures(details.trim(), files.files);
    const attachments = toAttachments(files.files);
    const ofFields = toAttachments(fieldFiles.files).map((file) => ({ ...file, inline: false }));
    const custom = version === null ? buildCustomFields(fields, values) : parseKeptValues(values[own.frame]);
    const chosenDevice = device?.id ?? Number(values[own.device] ?? 0);
    return {
      ...(template === null
        ? { category: "incident", subject: subject.trim() }
        : {
            template_id: template.id,
            // A template need not say what kind of request it makes; a request has to be of some kind.
            ...(template.category === null ? { category: "other" } : {}),
          }),
      ...(person === null ? {} : { requested_for_id: person.id }),
      ...(chosenDevice > 0 ? { ci_id: chosenDevice } : {}),
      ...(device?.service === undefined ? {} : { service_instance_id: device.service }),
      ...(note === "" ? {} : { note }),
      ...(attachments.length === 0 ? {} : { note_attachments: attachments }),
      ...(Object.keys(custom).length === 0 ? {} : { custom_fields: custom }),
      ...(ofFields.length === 0 ? {} : { custom_fields_attachments: ofFields }),
    };
  };

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    setRefusal(null);
    if (busy || draft.isUploading || !check()) return;
    setBusy(true);
    try {
      const created = await api.create("/requests", buildBody());
      draft.remove();
      showMessage(t("form.sent"));
      void refresh();
      navigateTo(at.request(created.id), { replace: true });
      scrollTo(0, 0);
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError && error.status === 422) setRefusal(describeError(error));
      else showError(error);
    }
  };
  const onSolved = () => {
    draft.remove();
    showMessage(t("form.gladItHelped"));
    navigateTo(at.home);
  };
  const renderField = (field: (typeof shown)[number]) => (
    <ExtensionField
      key={field.id}
      field={field}
      values={values}
      files={fieldFiles}
      problem={problems[field.id] ?? null}
      onChange={(value) => {
        setValue(field.id, value);
        setProblems(({ [field.id]: _, ...rest }) => rest);
      }}
    />
  );
  const way = [
    { label: t("nav.home"), to: at.home },
    ...(tile === undefined ? [] : [{ label: t(tile.title), to: at.catalogue(tile.key) }]),
  ];
  return (
    <div className="form-page">
      <Crumbs way={way} here={title} />
      <div className="form-columns">
        <form className="panel form" ref={formElement} onSubmit={onSubmit} noValidate>
          <header className="form-head">
            {tile !== undefined && (
              <span className="tile-icon" data-tone={tile.tone}>
                <Icon of={tile.icon} size={22} />
              </span>
            )}
            <div>
              <h1>{title}</h1>
              <p className="quiet">{form?.usual_minutes == null ? t("form.lead") : formatUsual(form.usual_minutes)}</p>
            </div>
          </header>
          {template?.localized_registration_hints != null && template.localized_registration_hints !== "" && (
            <div className="form-hints">
              <Markup text={template.localized_registration_hints} />
            </div>
          )}
          {unknownLabel !== null && <p className="form-hints">{t("form.deviceUnknown")}</p>}
          {device !== null && (
            <dl className="facts">
              <dt>{t("form.deviceIs")}</dt>
              <dd>{[device.name, device.label, device.location].filter(Boolean).join(" · ")}</dd>
            </dl>
          )}
          {mayAskForOthers && (
            <PersonChoice
              value={person}
              onChange={(chosen) => setValue(own.person, chosen === null ? "" : `${chosen.id}\n${chosen.name}`)}
            />
          )}
          {isFree && (
            <div className="field">
              <label className="label" htmlFor={`${id}-subject`}>
                {t("form.subject")}
              </label>
              <input
                id={`${id}-subject`}
                className="input"
                maxLength={255}
                value={subject}
                aria-required="true"
                aria-invalid={problems[own.subject] !== undefined || undefined}
                aria-describedby={problems[own.subject] === undefined ? undefined : `${id}-subject-error`}
                onChange={(event) => {
                  setValue(own.subject, event.currentTarget.value);
                  setProblems(({ [own.subject]: _, ...rest }) => rest);
                }}
              />
              {problems[own.subject] !== undefined && (
                <p className="field-error" id={`${id}-subject-error`}>
                  {t("form.subjectMissing")}
                </p>
              )}
            </div>
          )}
          {devices.length > 0 && (
            <div className="field">
              <label className="label" htmlFor={`${id}-device`}>
                {t("form.device")} <span className="quiet">{t("form.optional")}</span>
              </label>
              <select
                id={`${id}-device`}
                className="input"
                value={values[own.device] ?? ""}
                onChange={(event) => setValue(own.device, event.currentTarget.value)}
              >
                <option value="">{t("form.choose")}</option>
                {devices.map((each) => (
                  <option key={each.id} value={each.id}>
                    {[each.name, each.label].filter(Boolean).join(" · ")}
                  </option>
                ))}
              </select>
            </div>
          )}
          {version !== null && (
            <ExtensionFrame
              ref={frame}
              version={version}
              title={form?.title ?? t("form.questions")}
              values={parseKeptValues(values[own.frame])}
              onChange={(answers) => {
                // An untouched form leaves no draft behind.
                if (hasAnswer(answers) || latest.current[own.frame] !== undefined)
                  setValue(own.frame, JSON.stringify(answers));
              }}
            />
          )}
          {form?.title != null && fields.length > 0 && <h2 className="form-heading">{form.title}</h2>}
          <div className="form-fields">{shown.filter((field) => !late.has(field.id)).map(renderField)}</div>
          {hasNote && (
            <div className="field">
              <label className="label" htmlFor={`${id}-details`}>
                {isFree ? t("form.details") : t("form.detailsMore")} <span className="quiet">{t("form.optional")}</span>
              </label>
              <TextWithFiles
                id={`${id}-details`}
                value={details}
                onChange={(text) => setValue(own.details, text)}
                files={files}
                placeholder={t("form.detailsPlaceholder")}
                rows={3}
              />
            </div>
          )}
          {late.size > 0 && (
            <details className="more" open={more} onToggle={(event) => setMore(event.currentTarget.open)}>
              <summary>{t("form.more")}</summary>
              <div className="form-fields">{shown.filter((field) => late.has(field.id)).map(renderField)}</div>
            </details>
          )}
          {refusal !== null && (
            <p className="field-error" role="alert">
              {refusal}
            </p>
          )}
          <div className="form-actions">
            <button type="submit" className="button primary large" disabled={busy || draft.isUploading}>
              {t("form.send")}
            </button>
            <span className="quiet" role="status">
              {draft.isUploading ? t("form.uploading") : draft.isSaved ? t("form.draft") : ""}
            </span>
          </div>
        </form>
        <aside className="form-side" aria-label={t("form.aside")}>
          <Quicker text={searched === "" && isBroken ? title : searched} isBroken={isBroken} onSolved={onSolved} />
          <WhatHappens form={form} />
          <p className="quiet small form-me">{t("form.signedAs", { name: who.person.name })}</p>
        </aside>
      </div>
    </div>
  );
}
