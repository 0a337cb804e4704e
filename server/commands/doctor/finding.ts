/** One line of the report; the text of a problem says what to do about it. */
export type Finding = { isOk: boolean; subject: string; text: string };

export const ok = (subject: string, text: string): Finding => ({ isOk: true, subject, text });
export const problem = (subject: string, text: string): Finding => ({ isOk: false, subject, text });
