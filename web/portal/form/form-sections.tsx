import type { RequestForm as TemplateForm } from "../../../records/answers/portal-forms.ts";
import { Icon } from "../../elements/icon.tsx";
import type { Device } from "../../queries/portal/forms.ts";
import type { tiles } from "../home/tiles.ts";
import { Markup } from "../parts/markup.tsx";
import { formatUsual } from "../parts/spans.ts";
import { TextWithFiles } from "../parts/text-with-files.tsx";
import { t } from "../words.ts";
import { ExtensionField } from "./extension-field.tsx";
import { ExtensionFrame } from "./extension-frame.tsx";
import { hasAnswer, parseKeptValues } from "./extension-messages.ts";
import { type FormSubject, own } from "./request-values.ts";
import type { RequestFormState } from "./use-request-form.ts";

type HeadProps = { form: TemplateForm | null; title: string; tile: (typeof tiles)[number] | undefined };

export function FormHead({ form, title, tile }: HeadProps) {
  return (
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
  );
}

/** The template's instructions, and the device of the request. */
export function FormFacts({ form, device, unknownLabel }: FormSubject) {
  const hints = form?.template.localized_registration_hints ?? "";
  return (
    <>
      {hints !== "" && (
        <div className="form-hints">
          <Markup text={hints} />
        </div>
      )}
      {unknownLabel !== null && <p className="form-hints">{t("form.deviceUnknown")}</p>}
      {device !== null && (
        <dl className="facts">
          <dt>{t("form.deviceIs")}</dt>
          <dd>{[device.name, device.label, device.location].filter(Boolean).join(" · ")}</dd>
        </dl>
      )}
    </>
  );
}

type SectionProps = { state: RequestFormState; id: string };

export function SubjectField({ state: { values, problems, correct }, id }: SectionProps) {
  const isMissing = problems[own.subject] !== undefined;
  return (
    <div className="field">
      <label className="label" htmlFor={`${id}-subject`}>
        {t("form.subject")}
      </label>
      <input
        id={`${id}-subject`}
        className="input"
        maxLength={255}
        value={values[own.subject] ?? ""}
        aria-required="true"
        aria-invalid={isMissing || undefined}
        aria-describedby={isMissing ? `${id}-subject-error` : undefined}
        onChange={(event) => correct(own.subject, event.currentTarget.value)}
      />
      {isMissing && (
        <p className="field-error" id={`${id}-subject-error`}>
          {t("form.subjectMissing")}
        </p>
      )}
    </div>
  );
}

export function DeviceField({ state, id, devices }: SectionProps & { devices: readonly Device[] }) {
  return (
    <div className="field">
      <label className="label" htmlFor={`${id}-device`}>
        {t("form.device")} <span className="quiet">{t("form.optional")}</span>
      </label>
      <select
        id={`${id}-device`}
        className="input"
        value={state.values[own.device] ?? ""}
        onChange={(event) => state.setValue(own.device, event.currentTarget.value)}
      >
        <option value="">{t("form.choose")}</option>
        {devices.map((each) => (
          <option key={each.id} value={each.id}>
            {[each.name, each.label].filter(Boolean).join(" · ")}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The fields of the UI extension; `late`: those behind "More details". */
export function ExtensionFields({ state, late }: { state: RequestFormState; late: boolean }) {
  const { shown, values, fieldFiles, problems, correct } = state;
  return (
    <div className="form-fields">
      {shown
        .filter((field) => state.late.has(field.id) === late)
        .map((field) => (
          <ExtensionField
            key={field.id}
            field={field}
            values={values}
            files={fieldFiles}
            problem={problems[field.id] ?? null}
            onChange={(value) => correct(field.id, value)}
          />
        ))}
    </div>
  );
}

/** The form that the UI extension's own script renders. */
export function FrameOfForm({ state, form }: { state: RequestFormState; form: TemplateForm | null }) {
  const { frame, values, setValue, hasValue } = state;
  if (form === null || form.frame === null) return null;
  return (
    <ExtensionFrame
      ref={frame}
      version={form.frame}
      title={form.title ?? t("form.questions")}
      values={parseKeptValues(values[own.frame])}
      onChange={(answers) => {
        // An untouched form doesn't create a draft.
        if (hasAnswer(answers) || hasValue(own.frame)) setValue(own.frame, JSON.stringify(answers));
      }}
    />
  );
}

export function DetailsField({ state, id, isFree }: SectionProps & { isFree: boolean }) {
  return (
    <div className="field">
      <label className="label" htmlFor={`${id}-details`}>
        {isFree ? t("form.details") : t("form.detailsMore")} <span className="quiet">{t("form.optional")}</span>
      </label>
      <TextWithFiles
        id={`${id}-details`}
        value={state.values[own.details] ?? ""}
        onChange={(text) => state.setValue(own.details, text)}
        files={state.files}
        placeholder={t("form.detailsPlaceholder")}
        rows={3}
      />
    </div>
  );
}

export function FormFoot({ state: { draft, busy, refusal } }: { state: RequestFormState }) {
  return (
    <>
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
    </>
  );
}
