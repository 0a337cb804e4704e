// One shape for everything written but not sent: the notes of the workspace, the messages of the portal and the forms
// of both. A draft's key names its purpose, for example "request/48213/internal_note" (D-750).

export type DraftFile = {
  /** the key of the upload, which the server keeps while a draft refers to it */
  key: string;
  name: string;
  size: number;
  /** whether the text shows it as a picture */
  isPicture: boolean;
  /** the form field of the file; absent: it belongs to the text */
  field?: string;
};

export type NextStatus = { status: string; until?: string };

export type Draft = {
  /** the text, or the values of a form as JSON */
  text: string;
  files: readonly DraftFile[];
  /** time spent, as typed: "1:30" */
  time: string;
  /** the record's next status when the note is sent */
  next: NextStatus | null;
  /** the marks for the names in the text: "@Ann Lee" is "<@7|Ann Lee>" */
  mentions: Readonly<Record<string, string>>;
};

export const emptyDraft: Draft = { text: "", files: [], time: "", next: null, mentions: {} };

export const isEmptyDraft = ({ text, files, time, next }: Draft): boolean =>
  text === "" && files.length === 0 && time.trim() === "" && next === null;

export const isSameDraft = (one: Draft, other: Draft): boolean => JSON.stringify(one) === JSON.stringify(other);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isFile = (value: unknown): value is DraftFile =>
  isObject(value) && typeof value.key === "string" && typeof value.name === "string" && typeof value.size === "number";

const isNextStatus = (value: unknown): value is NextStatus => isObject(value) && typeof value.status === "string";

/** Parses the stored draft of a browser or of the server; members of another shape are left out. */
export function parseDraft(value: unknown): Draft {
  const { text, files, time, next, mentions } = isObject(value) ? value : {};
  return {
    text: typeof text === "string" ? text : "",
    files: Array.isArray(files) ? files.filter(isFile) : [],
    time: typeof time === "string" ? time : "",
    next: isNextStatus(next) ? next : null,
    mentions: isObject(mentions)
      ? Object.fromEntries(
          Object.entries(mentions).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
        )
      : {},
  };
}

/** Appends the draft begun since to the earlier one. */
export const joinDrafts = (earlier: Draft, begun: Draft): Draft => ({
  text: [earlier.text, begun.text].filter((part) => part.trim() !== "").join("\n\n"),
  files: [...earlier.files, ...begun.files],
  time: earlier.time || begun.time,
  next: earlier.next ?? begun.next,
  mentions: { ...earlier.mentions, ...begun.mentions },
});
