/** The texts of an email: its subject, after the name of the record, and its first sentence. {words} are filled in. */
export type Wording = { title: string; text: string };

/** The reason why an email is not accepted. */
export type RejectionReason =
  | "unknown_sender"
  | "not_permitted"
  | "no_requests"
  | "not_from_there"
  | "too_many"
  | "invalid"
  | "unreadable";

type ApprovalPageText =
  | "approve"
  | "reject"
  | "approveTitle"
  | "rejectTitle"
  | "note"
  | "why"
  | "whyMissing"
  | "didApprove"
  | "didReject"
  | "used"
  | "decidedBy";

export type MailLanguage = {
  notifications: Readonly<Record<string, Wording>>;
  /** names of record types that no field has */
  types: Readonly<Record<string, string>>;
  /** around every mail */
  open: string;
  why: string;
  unsubscribe: string;
  answer: string;
  digest: Wording;
  /** a scheduled report */
  report: Wording;
  /** to a person whose email was not accepted; `untitled`: the name of an email without a subject */
  rejection: {
    title: string;
    untitled: string;
    text: string;
    advice: string;
    reasons: Readonly<Record<RejectionReason, string>>;
  };
  /** to a person whose personal access token is about to expire */
  tokenReminder: { title: string; greeting: string; text: string; advice: string };
  /** to a person whose password strangers try to guess */
  signInWarning: { title: string; greeting: string; text: string; advice: string };
  /** to the old address of a person whose address was changed */
  addressChange: { title: string; greeting: string; text: string; advice: string };
  /** the page behind the two links of a mail that asks for an approval; `approve` and `reject` name the links, too */
  approvalPage: Readonly<Record<ApprovalPageText, string>>;
  /** what an order costs; `lineFor`: a line for someone else than the order is for */
  order: { total: string; lineFor: string; recurring: Readonly<Record<"monthly" | "yearly" | "other", string>> };
  /** the page of a survey; `ask` names the link to it */
  surveyPage: Readonly<Record<"ask" | "stars" | "send" | "nothing" | "thanks" | "used", string>>;
  /** the page where emails are turned off */
  unsubscribePage: { title: string; question: string; button: string; done: string };
  /** in place of these pages, if the link is wrong or has expired */
  invalidLink: { title: string; lead: string; signIn: string };
};
