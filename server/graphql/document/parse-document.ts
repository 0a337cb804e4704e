import { hash } from "node:crypto";
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  type SelectionSetNode,
  specifiedRules,
  validate,
  visit,
} from "graphql";

// Parses and validates documents. Clients send the same few again and again: those are cached.

const maxTokens = 20_000;
/** Fields of the same name beside each other are compared in pairs: a document with thousands would block the process. */
const maxRepeatedFields = 500;
const maxCachedDocuments = 500;
/** Larger documents are rare, and their trees and plans take a hundred times the memory of their text. */
export const maxCachedLength = 10_000;
const maxCachedText = 300_000;

type ParsedDocument = { document: DocumentNode } | { errors: readonly GraphQLError[] };

export class DocumentCache {
  private readonly schema: GraphQLSchema;
  private readonly cached = new Map<string, { parsed: ParsedDocument; length: number }>();
  private cachedText = 0;

  constructor(schema: GraphQLSchema) {
    this.schema = schema;
  }

  get(text: string): ParsedDocument {
    if (text.length > maxCachedLength) return this.parse(text);
    const key = hash("sha1", text, "base64");
    const known = this.cached.get(key);
    const entry = known ?? { parsed: this.parse(text), length: text.length };
    this.cached.delete(key);
    this.cached.set(key, entry);
    if (known === undefined) this.cachedText += text.length;
    for (const [oldest, { length }] of this.cached) {
      if (this.cached.size <= maxCachedDocuments && this.cachedText <= maxCachedText) break;
      this.cached.delete(oldest);
      this.cachedText -= length;
    }
    return entry.parsed;
  }

  private parse(text: string): ParsedDocument {
    try {
      const document = parse(text, { maxLexicalTokens: maxTokens });
      refuseRepeatedFields(document);
      const errors = validate(this.schema, document, specifiedRules, { maxErrors: 20 });
      return errors.length > 0 ? { errors } : { document };
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      // The parser recurses: a document can be nested more deeply than the stack allows.
      if (error instanceof RangeError) return { errors: [new GraphQLError("The document is nested too deeply.")] };
      throw error;
    }
  }
}

function refuseRepeatedFields(document: DocumentNode): void {
  let repeated = 0;
  visit(document, {
    // Values hold no fields, and may be many.
    Argument: () => false,
    VariableDefinition: () => false,
    SelectionSet(set: SelectionSetNode) {
      const names = new Set<string>();
      for (const each of set.selections) {
        const name =
          each.kind === "Field"
            ? (each.alias ?? each.name).value
            : each.kind === "FragmentSpread"
              ? `...${each.name.value}`
              : "";
        if (names.has(name) && ++repeated > maxRepeatedFields)
          throw new GraphQLError(`A document cannot repeat more than ${maxRepeatedFields} fields.`);
        names.add(name);
      }
    },
  });
}
