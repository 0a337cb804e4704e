/**
 * The statements of an SQL text. A database that is divided among servers refuses several statements in one string, and an error
 * of a single statement says which one it was. Comments before a statement are left out.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let begin = 0;
  let isEmpty = true; // nothing but blanks and comments so far
  for (const { 0: token, index } of sql.matchAll(tokens)) {
    if (token === ";") {
      if (!isEmpty) statements.push(sql.slice(begin, index).trim());
      begin = index + 1;
      isEmpty = true;
    } else if (isEmpty && !/^(?:\s|--|\/\*)/.test(token)) {
      begin = index;
      isEmpty = false;
    }
  }
  if (!isEmpty) statements.push(sql.slice(begin).trim());
  return statements;
}

// A text with escapes, a text, a name, a text between dollars, two kinds of comments, blanks, words, any other character.
const tokens =
  /\b[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\/|\s+|\w+|[\s\S]/g;
