import type { Field } from "../../../records/vocabulary/index.ts";
import { type FieldKind, isBlank, jsonText, onlyEqual, Refusal, scalar } from "./kind.ts";

type StringField = Extract<Field, { kind: "string" }>;
type TextField = Extract<Field, { kind: "text" }>;

/** A picture may be a data URL with the image itself. */
const maxCharacters = (field: StringField) => field.max ?? (field.format === "picture" ? 1_000_000 : 65_536);

const formats: Record<string, { pattern: RegExp; message: string }> = {
  email: { pattern: /^[^\s@<>"]+@[^\s@<>"']+$/, message: "is not a valid e-mail address" },
  picture: {
    pattern: /^(https?:\/\/\S+|data:image\/(png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=]+|\/\S*)$/,
    message: "is not a valid URI",
  },
};

/** Characters as people count them: an emoji is one. */
const countCharacters = (text: string) => [...text].length;

/** An address without the user name and password in it. */
export const stripCredentials = (uri: string): string => uri.replace(/^(\w+:\/\/)[^/?#]*@/, "$1");

export const string: FieldKind<StringField> = {
  column: "text",
  foldsCase: true,
  toAudit: (value, { format }) => (format === "uri" && typeof value === "string" ? stripCredentials(value) : value),
  read(input, field) {
    const text = scalar(input, "is not a valid text");
    const max = maxCharacters(field);
    if (text.length > max && countCharacters(text) > max)
      throw new Refusal("is too long (maximum is {max} characters)", { max });
    const format = field.format === undefined ? undefined : formats[field.format];
    if (isBlank(text)) return null; // C12
    if (format !== undefined && !format.pattern.test(text)) throw new Refusal(format.message);
    return text;
  },
  parse: (text) => text,
  write: jsonText,
  filter: onlyEqual,
  groups: "values",
  readFilter: (text) => text,
  sqlType: "text",
  schema: (field) => ({ type: "string", ...(field.max === undefined ? {} : { maxLength: field.max }) }),
  meaning: "text",
  describe: {
    example: ({ name, field, text }) => (name === "id" ? "widget-it" : text(field.max ?? 255)),
  },
};

export const text: FieldKind<TextField> = {
  column: "text",
  isIndexable: false,
  isLongText: true,
  read(input, field) {
    const value = scalar(input, "is not a valid text");
    if (value.length * 3 > field.maxBytes && Buffer.byteLength(value) > field.maxBytes)
      throw new Refusal("is too long (maximum is {max} bytes)", { max: field.maxBytes });
    return isBlank(value) ? null : value; // C12
  },
  parse: (value) => value,
  write: jsonText,
  filter: onlyEqual,
  readFilter: (text) => text,
  sqlType: "text",
  meaning: "text",
  describe: { example: () => "Plain text, or **marked up**." },
  schema: (field) => ({ type: "string", description: `at most ${field.maxBytes} bytes of UTF-8` }),
};
