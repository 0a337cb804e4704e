// The parts of an OpenAPI document that the reference shows.

type Reference = { $ref: string };
export type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required?: boolean;
  schema?: { type?: string; enum?: readonly string[] };
};
type RawOperation = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: readonly string[];
  parameters?: readonly (Parameter | Reference)[];
  requestBody?:
    | {
        content?: Readonly<
          Record<string, { example?: unknown; examples?: Readonly<Record<string, { value?: unknown }>> }>
        >;
      }
    | Reference;
};
type PathItem = Readonly<Record<string, RawOperation>> & { parameters?: readonly (Parameter | Reference)[] };
export type ApiDocument = {
  paths: Readonly<Record<string, PathItem>>;
  components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type Operation = {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  /** an example of the body; null: the operation has none */
  body: string | null;
  searchable: string;
};

/** The server generates a valid OpenAPI document. */
export const parseDocument = (text: string): ApiDocument => JSON.parse(text);

const isReference = (value: object): value is Reference => "$ref" in value;

function resolve<T extends object>(document: ApiDocument, value: T | Reference): T | null {
  if (!isReference(value)) return value;
  const [, , section = "", name = ""] = value.$ref.split("/");
  // A reference leads to a component of the kind expected at its position.
  return (document.components?.[section]?.[name] ?? null) as T | null;
}

const methods = ["get", "post", "patch", "put", "delete"];

export const listOperations = (document: ApiDocument): Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const { operationId: id, summary = "", description = "", tags = [] } = operation;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].flatMap((each) => {
        const parameter = resolve<Parameter>(document, each);
        return parameter === null || parameter.in === "header" ? [] : [parameter];
      });
      return [
        {
          ...{ id, method: method.toUpperCase(), path, tag: tags[0] ?? "", summary, description, parameters },
          body: buildExample(document, operation),
          searchable: `${method} ${path} ${summary} ${id} ${tags.join(" ")}`.toLowerCase(),
        },
      ];
    }),
  );

function buildExample(document: ApiDocument, { requestBody }: RawOperation): string | null {
  if (requestBody === undefined) return null;
  type Body = Exclude<RawOperation["requestBody"], Reference | undefined>;
  const content = resolve<Body>(document, requestBody)?.content?.["application/json"];
  if (content === undefined) return null;
  const example = content.example ?? Object.values(content.examples ?? {})[0]?.value ?? {};
  return JSON.stringify(example, null, 2);
}

const splitPath = (path: string): string[] =>
  path
    .replace(/^\/v1(?=\/|$)/, "")
    .replace(/\?.*$/, "")
    .replace(/\/$/, "")
    .split("/");

/** Finds the operation of a call: among the matching paths, the one with the most fixed parts. */
export function findOperation(operations: readonly Operation[], method: string, path: string): Operation | undefined {
  const parts = splitPath(path);
  const countFixed = (operation: Operation): number => {
    const wanted = splitPath(operation.path);
    if (operation.method !== method || wanted.length !== parts.length) return -1;
    const fits = wanted.every((part, at) => part.startsWith("{") || part === parts[at]);
    return fits ? wanted.filter((part) => !part.startsWith("{")).length : -1;
  };
  return operations
    .map((operation) => ({ operation, fixed: countFixed(operation) }))
    .filter(({ fixed }) => fixed >= 0)
    .toSorted((one, other) => other.fixed - one.fixed)[0]?.operation;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // the caller didn't encode it
  }
}

/** The values of a call's parameters, by name. */
export function readValues(operation: Operation, path: string): Record<string, string> {
  const parts = splitPath(path);
  const ofPath = splitPath(operation.path).flatMap((part, at) =>
    part.startsWith("{") ? [[part.slice(1, -1), decodePart(parts[at] ?? "")]] : [],
  );
  const query = new URLSearchParams(path.split("?")[1] ?? "");
  const ofQuery = operation.parameters.flatMap(({ name, in: place }) =>
    place === "query" && query.has(name) ? [[name, query.get(name) ?? ""]] : [],
  );
  return Object.fromEntries([...ofPath, ...ofQuery]);
}
