import {
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLBoolean,
  type GraphQLFieldResolver,
  GraphQLFloat,
  GraphQLID,
  GraphQLIncludeDirective,
  GraphQLInt,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  GraphQLString,
  getArgumentValues,
  getDirectiveValues,
  getNullableType,
  type getVariableValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from "graphql";
import type { CallContext } from "../call-context.ts";

// The selection of a query, prepared once per document: the fields of every selection, by the type of their record.
// All records of a list share it, so nothing about the document is computed per record (D-380).

export type VariableValues = NonNullable<ReturnType<typeof getVariableValues>["variableValues"]>;

export type PlanField = {
  /** numbers the fields of a plan: the arguments of a call are kept by it */
  index: number;
  responseName: string;
  /** true: the name of the type, which needs no resolver */
  isTypeName: boolean;
  isRequired: boolean;
  isList: boolean;
  areItemsRequired: boolean;
  /** writes a plain value; null: the value is an object */
  write: ((value: unknown) => unknown) | null;
  type: GraphQLOutputType;
  resolve: GraphQLFieldResolver<unknown, CallContext>;
  readArguments(variables: VariableValues): Record<string, unknown>;
  takesArguments: boolean;
  nodes: readonly FieldNode[];
  /** what resolvers read of it is the same for all records */
  info: GraphQLResolveInfo;
  /** the object type of a value, and the fields that are selected of it */
  pickObject(value: unknown, context: CallContext): { name: string; fields: readonly PlanField[] };
  place: string;
};

/** Values that a scalar writes as they are; what else it is given, the scalar converts or refuses. */
const isPlain = new Map<unknown, (value: unknown) => boolean>([
  [GraphQLBoolean, (value) => typeof value === "boolean"],
  [GraphQLFloat, (value) => typeof value === "number" && Number.isFinite(value)],
  [GraphQLID, (value) => typeof value === "string"],
  [GraphQLInt, (value) => typeof value === "number" && (value | 0) === value],
  [GraphQLString, (value) => typeof value === "string"],
]);

function buildWriter(type: GraphQLLeafType): (value: unknown) => unknown {
  const plain = isPlain.get(type);
  const write = (value: unknown) => type.coerceOutputValue(value);
  return plain === undefined ? write : (value) => (plain(value) ? value : write(value));
}

/** Fields of the root that describe the schema; the library keeps them apart from those of the type. */
export const schemaFields = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]));

export class QueryPlan {
  readonly rootFields: readonly PlanField[];
  readonly rootName: string;
  /** one root field after the other, as mutations need it */
  readonly isSerial: boolean;
  private readonly schema: GraphQLSchema;
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly fragmentsByName: Readonly<Record<string, FragmentDefinitionNode>>;
  private readonly operation: OperationDefinitionNode;
  private readonly variables: VariableValues;
  private count = 0;

  /** `variables`: only directives depend on them; see `isReusable` */
  constructor(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: VariableValues,
  ) {
    this.schema = schema;
    this.operation = operation;
    this.variables = variables;
    this.fragments = new Map(
      document.definitions.flatMap((each) => (each.kind === "FragmentDefinition" ? [[each.name.value, each]] : [])),
    );
    this.fragmentsByName = Object.fromEntries(this.fragments);
    const root = schema.getRootType(operation.operation) as GraphQLObjectType;
    this.isSerial = operation.operation === "mutation";
    this.rootName = root.name;
    this.rootFields = this.collect(root, [operation.selectionSet]);
  }

  /** How many fields have been prepared so far: those of an object are when the first one of its type is there. */
  get length(): number {
    return this.count;
  }

  private collect(type: GraphQLObjectType, sets: readonly (SelectionSetNode | undefined)[]): PlanField[] {
    const grouped = new Map<string, FieldNode[]>();
    const visited = new Set<string>();
    for (const set of sets) this.group(type, set, grouped, visited);
    return [...grouped].map(([name, nodes]) => this.buildField(type, name, nodes));
  }

  private group(
    type: GraphQLObjectType,
    set: SelectionSetNode | undefined,
    grouped: Map<string, FieldNode[]>,
    visited: Set<string>,
  ): void {
    for (const each of set?.selections ?? []) {
      if (!this.isIncluded(each)) continue;
      if (each.kind === "Field") {
        const name = (each.alias ?? each.name).value;
        const nodes = grouped.get(name);
        if (nodes === undefined) grouped.set(name, [each]);
        else nodes.push(each);
        continue;
      }
      if (each.kind === "FragmentSpread") {
        if (visited.has(each.name.value)) continue;
        visited.add(each.name.value);
      }
      const fragment = each.kind === "FragmentSpread" ? this.fragments.get(each.name.value) : each;
      if (fragment === undefined || !this.applies(type, fragment.typeCondition?.name.value)) continue;
      this.group(type, fragment.selectionSet, grouped, visited);
    }
  }

  private isIncluded(node: SelectionSetNode["selections"][number]): boolean {
    if (node.directives === undefined || node.directives.length === 0) return true;
    if (getDirectiveValues(GraphQLSkipDirective, node, this.variables)?.if === true) return false;
    return getDirectiveValues(GraphQLIncludeDirective, node, this.variables)?.if !== false;
  }

  private applies(type: GraphQLObjectType, condition: string | undefined): boolean {
    if (condition === undefined || condition === type.name) return true;
    const named = this.schema.getType(condition);
    return isAbstractType(named) && this.schema.isSubType(named, type);
  }

  private buildField(type: GraphQLObjectType, responseName: string, nodes: readonly FieldNode[]): PlanField {
    const node = nodes[0] as FieldNode;
    const name = node.name.value;
    const field = type.getFields()[name] ?? (type === this.schema.getQueryType() ? schemaFields.get(name) : undefined);
    const outer = field?.type ?? GraphQLString;
    const inner = getNullableType(outer) as GraphQLOutputType;
    const item = isListType(inner) ? (inner.ofType as GraphQLOutputType) : inner;
    const named = getNullableType(item) as GraphQLOutputType;
    const selected = new Map<string, { name: string; fields: readonly PlanField[] }>();
    const select = (object: GraphQLObjectType) => {
      let found = selected.get(object.name);
      if (found === undefined) {
        const sets = nodes.map(({ selectionSet }) => selectionSet);
        found = { name: object.name, fields: this.collect(object, sets) };
        selected.set(object.name, found);
      }
      return found;
    };
    const info = {
      fieldName: name,
      fieldNodes: nodes,
      returnType: outer,
      parentType: type,
      schema: this.schema,
      fragments: this.fragmentsByName,
      operation: this.operation,
    } as unknown as GraphQLResolveInfo;
    return {
      index: this.count++,
      responseName,
      isTypeName: name === "__typename",
      isRequired: isNonNullType(outer),
      isList: isListType(inner),
      areItemsRequired: isListType(inner) && isNonNullType(inner.ofType),
      write: isLeafType(named) ? buildWriter(named) : null,
      type: named,
      resolve: (field?.resolve ?? defaultFieldResolver) as GraphQLFieldResolver<unknown, CallContext>,
      readArguments: (variables) => (field === undefined ? {} : getArgumentValues(field, node, variables)),
      takesArguments: field !== undefined && field.args.length > 0,
      nodes,
      info,
      pickObject: (value, context) => {
        if (isObjectType(named)) return select(named);
        const resolved = isAbstractType(named) ? named.resolveType?.(value, context, info, named) : undefined;
        const object = typeof resolved === "string" ? this.schema.getType(resolved) : undefined;
        if (!isObjectType(object)) throw new Error(`${type.name}.${name} is a record of an unknown type`);
        return select(object);
      },
      place: `${type.name}.${name}`,
    };
  }
}

/** Whether the plan of a document serves every call of it: directives may leave out fields by variables. */
const hasDirectives = (document: DocumentNode): boolean => JSON.stringify(document).includes('"kind":"Directive"');

/** The plans that were used last. The weight is that of their fields, and of the document that they hold in memory. */
const plans = new Map<OperationDefinitionNode, { plan: QueryPlan; weight: number }>();
const maxPlanWeight = 2000;
const maxCachedWeight = 50_000;
const charactersPerField = 20;
let cachedWeight = 0;

/** `fields`: of the document, with its fragments expanded */
export function pickQueryPlan(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: VariableValues,
  fields: number,
): QueryPlan {
  const known = plans.get(operation);
  if (known !== undefined) {
    plans.delete(operation);
    plans.set(operation, known);
    return known.plan;
  }
  const plan = new QueryPlan(schema, document, operation, variables);
  const weight = fields + (document.loc?.source.body.length ?? 0) / charactersPerField;
  if (weight > maxPlanWeight || hasDirectives(document)) return plan;
  plans.set(operation, { plan, weight });
  cachedWeight += weight;
  for (const [oldest, { weight: freed }] of plans) {
    if (cachedWeight <= maxCachedWeight) break;
    plans.delete(oldest);
    cachedWeight -= freed;
  }
  return plan;
}
