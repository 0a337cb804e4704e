// The syntax tree of a text field, from which both HTML and plain text are rendered.

export type Block =
  | { is: "paragraph"; text: string }
  | { is: "heading"; level: number; text: string }
  | { is: "rule" }
  | { is: "code"; text: string }
  | { is: "quote"; blocks: Block[] }
  | List
  | { is: "table"; rows: Cell[][] };

export type List = { is: "list"; ordered: boolean; items: Item[] };
export type Item = { text: string; lists: List[] };
export type Cell = { header: boolean; blocks: Block[] };

export type Mark = "bold" | "italic" | "underline" | "strike" | "color" | "background" | "link";

/** Running text as a flat list: opens and closes always nest, so that readers need no recursion. */
export type Inline =
  | { is: "text"; text: string }
  | { is: "break" }
  | { is: "open"; mark: Mark; value: string }
  | { is: "close"; mark: Mark; value: string }
  | { is: "code"; text: string }
  | { is: "image"; alt: string; address: string }
  | { is: "mention"; id: number; name: string; source: string }
  | { is: "record"; type: string; id: number; source: string };

/** How deep quotes, lists and marks may nest; deeper content is shown without a further level. */
export const maxDepth = 8;
