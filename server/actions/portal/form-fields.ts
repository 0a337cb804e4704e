import { Parser } from "htmlparser2";
import { type FormField, formFieldKinds } from "../../../records/answers/portal-forms.ts";

// The fields of a UI extension as the portal shows them: from the form of the designer, else from the inputs of its HTML.
// Styles and scripts of an extension are not run in the portal: its fields get the look, the keyboard and the checks of
// the page (D-304).

type FieldKind = (typeof formFieldKinds)[number];

const kinds: ReadonlySet<string> = new Set(formFieldKinds);
const isFieldKind = (text: string): text is FieldKind => kinds.has(text);
/** Their names in other designers. */
const aliases: Readonly<Record<string, FieldKind>> = {
  string: "text",
  textarea: "long_text",
  integer: "number",
  decimal: "number",
  select: "choice",
  radio: "choice",
  multiselect: "choices",
  checkbox: "switch",
  boolean: "switch",
  attachment: "files",
  attachments: "files",
  file: "files",
  section: "heading",
  text_block: "help",
  html: "help",
};
const maxFields = 60;
const maxText = 2000;

type Given = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const toText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value).trim().slice(0, maxText) : "";

/** `{ "fields": [{ "id", "type", "label", "help", "required", "options", "when": { "field", "is" } }] }`; [] when it is not that. */
export function parseFormDefinition(json: string | null): FormField[] {
  if (json === null || json.trim() === "") return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return [];
  }
  const list = isObject(parsed) ? parsed.fields : parsed;
  if (!Array.isArray(list)) return [];
  return list.flatMap((each) => (isObject(each) ? flatten(each, null) : [])).slice(0, maxFields);
}

/** A section with fields of its own passes its condition on to them. */
function flatten(given: Given, outer: FormField["when"]): FormField[] {
  const type = toText(given.type ?? given.kind).toLowerCase();
  const kind = isFieldKind(type) ? type : aliases[type];
  const when = parseCondition(given.when ?? given.condition) ?? outer;
  const inside = Array.isArray(given.fields)
    ? given.fields.flatMap((each) => (isObject(each) ? flatten(each, when) : []))
    : [];
  const label = toText(given.label ?? given.title ?? given.text);
  if (kind === undefined) return inside;
  const id = toText(given.id ?? given.name);
  if (kind !== "heading" && kind !== "help" && id === "") return inside;
  const field: FormField = {
    id: id === "" ? `${kind} ${label}` : id,
    kind,
    label: label === "" ? id : label,
    help: toText(given.help ?? given.hint) || null,
    required: given.required === true,
    options: parseOptions(given.options ?? given.choices),
    when,
  };
  return [field, ...inside];
}

const parseOptions = (given: unknown): FormField["options"] =>
  !Array.isArray(given)
    ? []
    : given.flatMap((each) => {
        const value = isObject(each) ? toText(each.value ?? each.id) : toText(each);
        const label = isObject(each) ? toText(each.label ?? each.text ?? each.name) : value;
        return value === "" ? [] : [{ value, label: label === "" ? value : label }];
      });

function parseCondition(given: unknown): FormField["when"] {
  if (!isObject(given)) return null;
  const field = toText(given.field);
  const is = (Array.isArray(given.is) ? given.is : [given.is ?? given.value]).map(toText).filter((text) => text !== "");
  return field === "" || is.length === 0 ? null : { field, is };
}

const inputKinds: Readonly<Record<string, FieldKind>> = {
  text: "text",
  tel: "text",
  url: "text",
  search: "text",
  email: "email",
  number: "number",
  date: "date",
  "datetime-local": "datetime",
  checkbox: "switch",
  file: "files",
};

type OpenField = FormField & { ids: Set<string>; options: { value: string; label: string }[] };

/**
 * The inputs of a piece of HTML. A label belongs to the input that it names or contains; `data-help` is a hint, and
 * `data-show-when="field=value|other"`, on the input or around it, a condition.
 */
export function parseHtmlFields(html: string | null): FormField[] {
  if (html === null) return [];
  const fields: OpenField[] = [];
  const byName = new Map<string, OpenField>();
  const labels = new Map<string, string>();
  const conditions: (FormField["when"] | undefined)[] = [];
  let label: { text: string; target: string | null; hasInput: boolean } | null = null;
  let heading: string | null = null;
  let option: { value: string | null; text: string } | null = null;
  let select: OpenField | null = null;
  let hidden = 0;

  const addField = (attributes: Record<string, string>, kind: FieldKind): OpenField | null => {
    const id = toText(attributes.name ?? attributes.id);
    if (id === "" || fields.length >= maxFields) return null;
    const field: OpenField = {
      id,
      kind,
      label: toText(attributes["aria-label"] ?? attributes.placeholder) || id,
      help: toText(attributes["data-help"] ?? attributes.title) || null,
      required: "required" in attributes,
      options: [],
      when: conditions.findLast((each) => each != null) ?? null,
      ids: new Set([attributes.id ?? "", id]),
    };
    if (label !== null) {
      label.hasInput = true;
      label.target ??= id;
    }
    fields.push(field);
    byName.set(id, field);
    return field;
  };
  const addRadio = (attributes: Record<string, string>): void => {
    const id = toText(attributes.name);
    const field = byName.get(id) ?? addField({ ...attributes, id: "" }, "choice");
    const value = toText(attributes.value);
    if (field !== null && value !== "") field.options.push({ value, label: value });
    if (attributes.id !== undefined) labels.delete(attributes.id);
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        conditions.push(parseShowWhen(attributes["data-show-when"]));
        if (name === "script" || name === "style") hidden += 1;
        else if (name === "label") label = { text: "", target: attributes.for ?? null, hasInput: false };
        else if (/^h[1-6]$|^legend$/.test(name)) heading = "";
        else if (name === "textarea") addField(attributes, "long_text");
        else if (name === "select") select = addField(attributes, "multiple" in attributes ? "choices" : "choice");
        else if (name === "option") option = { value: attributes.value ?? null, text: "" };
        else if (name === "input") {
          const type = (attributes.type ?? "text").toLowerCase();
          if (type === "radio") addRadio(attributes);
          else if (inputKinds[type] !== undefined) addField(attributes, inputKinds[type]);
        }
      },
      ontext(text) {
        if (hidden > 0) return;
        if (option !== null) option.text += text;
        else if (label !== null) label.text += text;
        else if (heading !== null) heading += text;
      },
      onclosetag(name) {
        const when = conditions.pop();
        if (name === "script" || name === "style") hidden -= 1;
        else if (name === "label" && label !== null) {
          const text = label.text.replace(/\s+/g, " ").trim();
          if (label.target !== null && text !== "") labels.set(label.target, text);
          label = null;
        } else if (name === "select") select = null;
        else if (name === "option" && option !== null) {
          const text = toText(option.text);
          const value = toText(option.value ?? option.text);
          if (select !== null && value !== "") select.options.push({ value, label: text || value });
          option = null;
        } else if (/^h[1-6]$|^legend$/.test(name) && heading !== null) {
          const text = toText(heading);
          const outer = when ?? conditions.findLast((each) => each != null) ?? null;
          if (text !== "") fields.push(buildHeading(text, outer));
          heading = null;
        }
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return fields.map(({ ids, ...field }) => {
    const text = [...ids].map((id) => labels.get(id)).find((each) => each !== undefined);
    return { ...field, label: text?.replace(/\s*\*$/, "") ?? field.label };
  });
}

const buildHeading = (text: string, when: FormField["when"]): OpenField => ({
  id: `heading ${text}`,
  kind: "heading",
  label: text,
  help: null,
  required: false,
  options: [],
  when,
  ids: new Set(),
});

function parseShowWhen(text: string | undefined): FormField["when"] | undefined {
  const [, field, values] = /^\s*([^=]+?)\s*=\s*(.+)$/.exec(text ?? "") ?? [];
  return field === undefined || values === undefined
    ? undefined
    : { field, is: values.split("|").map((value) => value.trim()) };
}
