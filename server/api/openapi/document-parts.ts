import type { TimeSlices } from "../../base/time-slices.ts";
import type { Schema } from "./components.ts";
import type { OpenApiDocument } from "./document.ts";

// The document as pieces of JSON text, from which the whole document and the part of one tag are put together.

type Operation = { path: string; method: string; tag: string; json: string };
type Component = { json: string; uses: readonly string[] };

const referencePattern = /"#\/components\/([^"]+)"/g;
const findUses = (json: string): string[] => [...json.matchAll(referencePattern)].map(([, name]) => name as string);

type Members = Iterable<readonly [string, Iterable<string>]>;

/** The pieces of an object whose members are pieces of JSON. */
function* joinMembers(members: Members): Generator<string> {
  let before = "{";
  for (const [name, pieces] of members) {
    yield `${before}${JSON.stringify(name)}:`;
    yield* pieces;
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

/** The document has megabytes: it is written piece by piece. */
async function encode(pieces: Iterable<string>, slices: TimeSlices): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (const piece of pieces) {
    chunks.push(Buffer.from(piece));
    await slices.pause();
  }
  return Buffer.concat(chunks);
}

export class DocumentParts {
  readonly tags: readonly string[];
  /** openapi, info, servers, security */
  private readonly head: readonly (readonly [string, string])[];
  private readonly tagTexts: ReadonlyMap<string, string>;
  private readonly operations: Operation[] = [];
  /** what the operations of a path share */
  private readonly sharedByPath = new Map<string, string>();
  /** by "schemas/Team" */
  private readonly components = new Map<string, Component>();

  private constructor({ tags, paths: _paths, components: _components, ...head }: OpenApiDocument) {
    const tagList = tags as { name: string }[];
    this.tags = tagList.map(({ name }) => name);
    this.tagTexts = new Map(tagList.map((tag) => [tag.name, JSON.stringify(tag)]));
    this.head = Object.entries(head).map(([name, value]) => [name, JSON.stringify(value)]);
  }

  static async read(document: OpenApiDocument, slices: TimeSlices): Promise<DocumentParts> {
    const parts = new DocumentParts(document);
    for (const [path, item] of Object.entries(document.paths)) {
      await slices.pause();
      parts.operations.push(...parts.readPath(path, item));
    }
    for (const [kind, members] of Object.entries(document.components))
      for (const [name, value] of Object.entries(members)) {
        await slices.pause();
        const json = JSON.stringify(value);
        parts.components.set(`${kind}/${name}`, { json, uses: findUses(json) });
      }
    return parts;
  }

  private readPath(path: string, { parameters, ...operations }: Record<string, Schema>): Operation[] {
    if (parameters !== undefined) this.sharedByPath.set(path, JSON.stringify(parameters));
    return Object.entries(operations).map(([method, operation]) => {
      const [tag = ""] = operation.tags as string[];
      return { path, method, tag, json: JSON.stringify(operation) };
    });
  }

  /** The whole document. */
  buildWhole(slices: TimeSlices): Promise<Buffer> {
    return encode(this.join(this.tags, this.operations, this.components), slices);
  }

  /** The paths of one tag and the components that they use. */
  buildPart(tag: string, slices: TimeSlices): Promise<Buffer> {
    const operations = this.operations.filter((operation) => operation.tag === tag);
    const texts = operations.flatMap(({ path, json }) => [json, this.sharedByPath.get(path) ?? ""]);
    const used = this.collectComponents(texts.flatMap(findUses));
    const kept = [...this.components].filter(([name]) => used.has(name) || name.startsWith("securitySchemes/"));
    return encode(this.join([tag], operations, kept), slices);
  }

  private collectComponents(names: readonly string[]): Set<string> {
    const used = new Set(names);
    // A set also visits what is added during the loop.
    for (const name of used) for (const other of this.components.get(name)?.uses ?? []) used.add(other);
    return used;
  }

  private join(
    tags: readonly string[],
    operations: readonly Operation[],
    components: Iterable<readonly [string, Component]>,
  ): Iterable<string> {
    const paths = new Map<string, [string, [string]][]>();
    for (const { path, method, json } of operations) {
      const shared = this.sharedByPath.get(path);
      const members = paths.get(path) ?? (shared === undefined ? [] : [["parameters", [shared]]]);
      members.push([method, [json]]);
      paths.set(path, members);
    }
    const kinds = new Map<string, [string, [string]][]>();
    for (const [name, { json }] of components) {
      const [kind = "", rest = ""] = name.split(/\/(.*)/s);
      const members = kinds.get(kind) ?? [];
      members.push([rest, [json]]);
      kinds.set(kind, members);
    }
    const joinAll = (lists: Map<string, [string, [string]][]>) =>
      joinMembers([...lists].map(([name, members]) => [name, joinMembers(members)] as const));
    return joinMembers([
      ...this.head.map(([name, json]) => [name, [json]] as const),
      ["tags", [`[${tags.map((tag) => this.tagTexts.get(tag)).join(",")}]`]],
      ["paths", joinAll(paths)],
      ["components", joinAll(kinds)],
    ]);
  }
}
