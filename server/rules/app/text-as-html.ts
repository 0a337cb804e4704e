const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A text for an HTML page, as it was written: nothing in it is a tag, and its lines stay lines. */
export const textAsHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => escapes[letter] as string).replace(/\r\n|\r|\n/g, "<br>");
