// One shape for everything that is written and not sent yet: the notes of the workspace, the messages of the portal and the
// forms of both. The key of a draft says what it is for, such as "request/48213/internal_note" (D-750).

export type DraftFile = {
  /** of the upload, which the server keeps while a draft names it */
  key: string;
  name: string;
  size: number;
  /** a picture is shown in the text */
  isPicture: boolean;
  /** the field of the form that asked for the file; absent: it belongs to the text */
  field?: string;
};

export type NextStatus = { status: string; until?: string };

export type Draft = {
  /** the text, or the values of a form as JSON */
  text: string;
  files: readonly DraftFile[];
  /** time spent, as typed: "1:30" */
  time: string;
  /** what the record becomes when the note is sent */
  next: NextStatus | null;
  /** the marks that the words of the text stand for: "@Ann Lee" is "<@7|Ann Lee>" */
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

/** Reads what a browser or the server has stored; members of another shape are left out. */
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

/** What was written earlier, before what was begun since. */
export const joinDrafts = (earlier: Draft, begun: Draft): Draft => ({
  text: [earlier.text, begun.text].filter((part) => part.trim() !== "").join("\n\n"),
  files: [...earlier.files, ...begun.files],
  time: earlier.time || begun.time,
  next: earlier.next ?? begun.next,
  mentions: { ...earlier.mentions, ...begun.mentions },
});
