import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import type { MutationField, RootField, ScopeNeed } from "../model/access-needs.ts";
import { type GraphField, isConnection, isFree } from "../model/graph-fields.ts";
import { schemaFields } from "./query-plan.ts";
import { getSchemaSizes } from "./schema-sizes.ts";

// One walk over a valid document, before anything runs: limits, cost, and the scopes that it needs (D-332).

const limits = {
  ...{ nodes: 500_000, depth: 25, connectionDepth: 13, rootFields: 200, aliases: 1000, fields: 10_000 },
  ids: 100,
};
/** Descriptions of the schema are in memory: so many of them cost as much as a list look-up. */
const schemaNodesPerLookup = 100;

/**
 * `needs`: one of each inner list must be allowed; `fields`: with fragments expanded; `isOnlySchema`: it reads nothing but the
 * description of the schema
 */
export type DocumentFacts = {
  cost: number;
  needs: readonly (readonly ScopeNeed[])[];
  fields: number;
  isOnlySchema: boolean;
};

/** How a record was reached: a reference shows some fields without a scope. */
type Reached = "opened" | "referenced" | "by nodeID";

type Place = { depth: number; connectionDepth: number; records: number; reached: Reached; isRoot: boolean };

type Extensions = { graph?: GraphField; root?: RootField; mutation?: MutationField };

class DocumentWalk {
  private readonly schema: GraphQLSchema;
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly variables: Readonly<Record<string, unknown>>;
  fields = 0;
  /** root fields other than those that describe the schema */
  dataFields = 0;
  private aliases = 0;
  private rootFields = 0;
  private nodes = 0;
  private lookups = 0;
  readonly needs = new Map<string, readonly ScopeNeed[]>();
  /** the sizes of its pages differ from call to call */
  usesVariables = false;

  constructor(
    schema: GraphQLSchema,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    variables: Readonly<Record<string, unknown>>,
  ) {
    this.schema = schema;
    this.fragments = fragments;
    this.variables = variables;
  }

  getCost(): number {
    return Math.max(1, Math.round(this.lookups / 100));
  }

  visit(set: SelectionSetNode | undefined, type: GraphQLNamedType, place: Place): void {
    for (const each of set?.selections ?? []) {
      if (each.kind === "Field") this.visitField(each, type, place);
      else {
        const fragment = each.kind === "FragmentSpread" ? this.fragments.get(each.name.value) : each;
        if (fragment === undefined) continue;
        this.countField(each);
        const name = fragment.typeCondition?.name.value;
        this.visit(fragment.selectionSet, name === undefined ? type : (this.schema.getType(name) ?? type), place);
      }
    }
  }

  private countField(node: { loc?: unknown }): void {
    if (++this.fields > limits.fields)
      throw refuse("The document has too many fields when its fragments are expanded.", node as FieldNode);
  }

  private visitField(node: FieldNode, type: GraphQLNamedType, place: Place): void {
    this.countField(node);
    if (node.alias !== undefined && ++this.aliases > limits.aliases)
      throw refuse(`A document cannot have more than ${limits.aliases} aliases.`, node);
    if (place.isRoot && ++this.rootFields > limits.rootFields)
      throw refuse(`A document cannot have more than ${limits.rootFields} root fields.`, node);
    if (node.name.value === "__typename") return;
    if (place.depth >= limits.depth)
      throw refuse(`Fields cannot be nested more than ${limits.depth} levels deep.`, node);
    if (!isObjectType(type) && !isInterfaceType(type)) return;
    const schemaField = place.isRoot ? schemaFields.get(node.name.value) : undefined;
    const field = schemaField ?? type.getFields()[node.name.value];
    if (field === undefined) return;
    if (place.isRoot && schemaField === undefined) this.dataFields++;
    const { graph, root, mutation } = field.extensions as Extensions;
    if (graph !== undefined) this.checkFieldScope(graph, type, place.reached);
    let inner: Place = { ...place, depth: place.depth + 1, isRoot: false };
    if (root !== undefined) inner = { ...inner, reached: this.openRoot(root) };
    if (isIntrospectionType(type)) inner = this.openSchemaList(node, `${type.name}.${field.name}`, inner);
    if (root?.is === "node" && field.name === "nodes") inner = this.openNodes(node, inner);
    if (mutation !== undefined) {
      this.lookups += 10;
      this.need(mutation.scope);
    }
    if ((graph !== undefined && isConnection(graph)) || root?.is === "collection") {
      const target = graph?.is === "connection" ? graph.target : root?.is === "collection" ? root.target : null;
      if (target !== null) this.needRead(target);
      inner = this.openConnection(node, inner);
    } else if (graph !== undefined && ["reference", "owner", "subject", "account", "made"].includes(graph.is))
      inner = { ...inner, reached: "referenced" };
    if (node.selectionSet !== undefined) this.visit(node.selectionSet, getNamedType(field.type), inner);
  }

  private openRoot(root: RootField): Reached {
    if (root.is === "me") this.need([{ type: "me", action: "All" }]);
    if (root.is === "account")
      this.need([
        { type: "account", action: "Read" },
        { type: "me", action: "All" },
      ]);
    if (root.is === "storage") this.need([{ type: "attachment", action: "Read" }]);
    return root.is === "node" ? "by nodeID" : "opened";
  }

  private openConnection(node: FieldNode, place: Place): Place {
    const first = this.readLimit(node, "first");
    const last = this.readLimit(node, "last");
    const name = node.name.value;
    if ((first === null) === (last === null))
      throw refuse(`Connection '${name}' needs either 'first' or 'last', from 1 to 100.`, node);
    const count = (first ?? last) as number;
    if (count < 1 || count > 100)
      throw refuse(
        `Argument '${first === null ? "last" : "first"}' of connection '${name}' must be from 1 to 100.`,
        node,
      );
    if (place.connectionDepth >= limits.connectionDepth)
      throw refuse(`Connections cannot be nested more than ${limits.connectionDepth} levels deep.`, node);
    this.lookups += place.records;
    const records = place.records * count;
    this.addNodes(records, node);
    return { ...place, connectionDepth: place.connectionDepth + 1, records, reached: "opened" };
  }

  /** Lists of the schema count with the size that they have on average; one that is larger meets the limit of the response. */
  private openSchemaList(node: FieldNode, list: string, place: Place): Place {
    const size = getSchemaSizes(this.schema).get(list);
    if (size === undefined) return place;
    const records = place.records * size;
    this.addNodes(records, node);
    this.lookups += records / schemaNodesPerLookup;
    return { ...place, records };
  }

  private openNodes(node: FieldNode, place: Place): Place {
    const count = this.countIds(node);
    if (count > limits.ids) throw refuse(`Argument 'ids' of 'nodes' cannot have more than ${limits.ids} values.`, node);
    const records = place.records * Math.max(1, count);
    this.addNodes(records, node);
    return { ...place, records };
  }

  private countIds(node: FieldNode): number {
    const given = node.arguments?.find((argument) => argument.name.value === "ids")?.value;
    if (given?.kind === "ListValue") return given.values.length;
    if (given?.kind !== "Variable") return 1;
    this.usesVariables = true;
    const value = this.variables[given.name.value];
    return Array.isArray(value) ? value.length : 1;
  }

  private addNodes(records: number, node: FieldNode): void {
    this.nodes += records;
    if (this.nodes > limits.nodes) throw refuse("Individual calls cannot request more than 500,000 total nodes.", node);
  }

  private readLimit(node: FieldNode, name: string): number | null {
    const given = node.arguments?.find((argument) => argument.name.value === name)?.value;
    if (given === undefined || given.kind === "NullValue") return null;
    if (given.kind === "Variable") this.usesVariables = true;
    const value = given.kind === "Variable" ? this.variables[given.name.value] : "value" in given ? given.value : null;
    return value === null || value === undefined ? null : Number(value);
  }

  /** More than what a reference shows needs the right to read records of its type. */
  private checkFieldScope(graph: GraphField, type: GraphQLNamedType, reached: Reached): void {
    if (reached === "opened" || graph.is === "connection") return;
    if (reached === "referenced" && isFree(graph)) return;
    if (reached === "by nodeID" && graph.is === "id") return;
    for (const each of isInterfaceType(type) ? this.schema.getPossibleTypes(type) : [type])
      this.needRead((each.extensions as { record?: string }).record ?? "");
  }

  private needRead(record: string): void {
    if (record !== "") this.need([{ type: record.replaceAll("_", "-"), action: "Read" }]);
  }

  private need(alternatives: readonly ScopeNeed[]): void {
    this.needs.set(alternatives.map(({ type, action }) => `${type}:${action}`).join("|"), alternatives);
  }
}

const refuse = (message: string, node: FieldNode): GraphQLError => new GraphQLError(message, { nodes: [node] });

const knownFacts = new WeakMap<OperationDefinitionNode, DocumentFacts>();

/** Throws what is wrong with the document. `variables`: coerced values. */
export function checkDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): DocumentFacts {
  const known = knownFacts.get(operation);
  if (known !== undefined) return known;
  const fragments = new Map(
    document.definitions.flatMap((each) => (each.kind === "FragmentDefinition" ? [[each.name.value, each]] : [])),
  );
  const walk = new DocumentWalk(schema, fragments, variables);
  const root = schema.getRootType(operation.operation);
  if (root == null) throw new GraphQLError(`There are no operations of type ${operation.operation}.`);
  const place: Place = { depth: 0, connectionDepth: 0, records: 1, reached: "opened", isRoot: true };
  walk.visit(operation.selectionSet, root, place);
  const { fields, dataFields } = walk;
  const isOnlySchema = operation.operation === "query" && dataFields === 0;
  const facts = { cost: walk.getCost(), needs: [...walk.needs.values()], fields, isOnlySchema };
  if (!walk.usesVariables) knownFacts.set(operation, facts);
  return facts;
}
