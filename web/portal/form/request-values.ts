import { useMemo, useRef } from "react";
import type { RequestForm as TemplateForm } from "../../../records/answers/portal-forms.ts";
import { type DraftHandle, useDraft } from "../../drafts/use-draft.ts";
import {
  buildCustomFields,
  type FormValues,
  isShown,
  listInputs,
  parseDraft,
} from "../../parts/forms/extension-values.ts";
import type { Device } from "../../queries/portal/forms.ts";
import { appendPictures, type Files, toAttachments } from "../parts/use-files.ts";
import { t } from "../words.ts";
import { parseKeptValues } from "./extension-messages.ts";
import type { Person } from "./person-choice.tsx";

// The values of the form, stored in one draft: those of every form, and those of the template's UI extension.

export type FormSubject = {
  form: TemplateForm | null;
  device: Device | null;
  /** The number on the label of a device that the person can't read. */
  unknownLabel: string | null;
};

/** Names that can't clash with fields of an extension. */
export const own = { subject: " subject", details: " details", device: " device", person: " person", frame: " frame" };

export const parsePerson = (text: string | undefined): Person | null => {
  const [id, name] = (text ?? "").split("\n");
  return id === undefined || name === undefined ? null : { id: Number(id), name };
};
export const formatPerson = (person: Person | null): string => (person === null ? "" : `${person.id}\n${person.name}`);

export type RequestValues = {
  values: FormValues;
  draft: DraftHandle;
  setValue(name: string, value: string): void;
  /** Whether the field was changed, also since the last render. */
  hasValue(name: string): boolean;
};

export function useRequestValues({ form, device, unknownLabel }: FormSubject): RequestValues {
  const template = form?.template ?? null;
  const draft = useDraft(`portal/new/${template?.id ?? (device === null ? "free" : `device-${device.id}`)}`);
  const prefilledText = useMemo(() => new URLSearchParams(location.search).get("text") ?? "", []);
  const initial = useMemo((): FormValues => {
    if (unknownLabel !== null) return { [own.details]: t("form.deviceNumber", { number: unknownLabel }) };
    if (prefilledText !== "") return { [template === null ? own.subject : own.details]: prefilledText };
    return device === null ? {} : { [own.subject]: t("form.deviceSubject", { name: device.name }) };
  }, [prefilledText, template, device, unknownLabel]);
  const values = draft.text === "" ? initial : parseDraft(draft.text);
  // Two fields may change before the next render: the second change keeps the first one.
  const latest = useRef(values);
  latest.current = values;
  return {
    values,
    draft,
    setValue(name, value) {
      latest.current = { ...latest.current, [name]: value };
      draft.setText(JSON.stringify(latest.current));
    },
    hasValue: (name) => latest.current[name] !== undefined,
  };
}

const mostFields = 6;

/** The fields of the form: at most six at first, and further ones behind "More details". */
export function pickFields({ form }: FormSubject, values: FormValues, others: { people: boolean; devices: boolean }) {
  const fields = form === null || form.frame !== null ? [] : form.fields;
  const inputs = listInputs(fields, values);
  const hasNote = form?.hide_note !== true;
  const fixed = [others.people, form === null, others.devices, hasNote].filter(Boolean).length;
  const room = Math.max(0, mostFields - fixed);
  // A required field is never hidden behind "More details".
  const late = new Set(
    inputs.length <= room ? [] : inputs.filter(({ required }, at) => !required && at >= room).map(({ id }) => id),
  );
  return { fields, inputs, shown: fields.filter((field) => isShown(field, fields, values)), late, hasNote };
}

type RequestInput = { values: FormValues; files: Files; fieldFiles: Files };

/** The body of the new request. */
export function buildRequest({ form, device }: FormSubject, { values, files, fieldFiles }: RequestInput) {
  const template = form?.template ?? null;
  const note = appendPictures((values[own.details] ?? "").trim(), files.files);
  const attachments = toAttachments(files.files);
  const ofFields = toAttachments(fieldFiles.files).map((file) => ({ ...file, inline: false }));
  const hasFrame = form !== null && form.frame !== null;
  const custom = hasFrame ? parseKeptValues(values[own.frame]) : buildCustomFields(form?.fields ?? [], values);
  const chosenDevice = device?.id ?? Number(values[own.device] ?? 0);
  const person = parsePerson(values[own.person]);
  return {
    ...(template === null
      ? { category: "incident", subject: (values[own.subject] ?? "").trim() }
      : {
          template_id: template.id,
          // A template may leave the category open, but a request must have one.
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
}
