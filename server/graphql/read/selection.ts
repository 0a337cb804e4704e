import type { FieldNode, GraphQLObjectType, GraphQLResolveInfo, SelectionSetNode } from "graphql";
import type { Type } from "../../engine/types.ts";
import type { Selection } from "../call-context.ts";
import { type GraphField, listMembers } from "../model/graph-fields.ts";

// The fields that a document selects of a record or of a page. Directives are ignored: an extra member is harmless.

type Info = Pick<GraphQLResolveInfo, "fieldNodes" | "fragments" | "schema">;

/** The field of the declaration behind a field of the schema. */
export const getGraphField = (extensions: unknown): GraphField | undefined =>
  (extensions as { graph?: GraphField } | undefined)?.graph;

/** Names the place of a field in the document: records of one level have the same. */
export const getPlace = (fieldNodes: readonly FieldNode[]): string =>
  fieldNodes.length === 1
    ? String(fieldNodes[0]?.loc?.start)
    : fieldNodes.map(({ loc }) => String(loc?.start)).join("+");

/** The analysis of a field's nodes: those of a repeated document are the same. */
class SelectionCache {
  private readonly byNodes = new WeakMap<readonly FieldNode[], Map<string, Selection>>();

  get(nodes: readonly FieldNode[], objectName: string, build: () => Selection): Selection {
    let byName = this.byNodes.get(nodes);
    if (byName === undefined) {
      byName = new Map();
      this.byNodes.set(nodes, byName);
    }
    let selection = byName.get(objectName);
    if (selection === undefined) {
      selection = build();
      byName.set(objectName, selection);
    }
    return selection;
  }
}
const recordSelections = new SelectionCache();
const pageSelections = new SelectionCache();

const createSelection = (): Selection => ({
  members: new Set(),
  needsRecord: false,
  wantsRows: false,
  wantsTotal: false,
});

/** The selection of one record, whose object type has that name. */
export const selectRecord = (info: Info, objectName: string): Selection =>
  recordSelections.get(info.fieldNodes, objectName, () => {
    const selection = createSelection();
    for (const { selectionSet } of info.fieldNodes) addRecord(info, selectionSet, objectName, selection);
    return selection;
  });

/** The selection of a page of records. */
export const selectPage = (info: Info, objectName: string): Selection =>
  pageSelections.get(info.fieldNodes, objectName, () => {
    const selection = createSelection();
    for (const { selectionSet } of info.fieldNodes)
      eachField(info, selectionSet, null, (field) => {
        const name = field.name.value;
        if (name === "totalCount") selection.wantsTotal = true;
        else if (name !== "__typename") selection.wantsRows = true;
        if (name === "nodes") addRecord(info, field.selectionSet, objectName, selection);
        if (name === "edges")
          eachField(info, field.selectionSet, null, (edge) => {
            if (edge.name.value === "node") addRecord(info, edge.selectionSet, objectName, selection);
          });
      });
    return selection;
  });

function addRecord(info: Info, set: SelectionSetNode | undefined, objectName: string, selection: Selection): void {
  const type = info.schema.getType(objectName) as GraphQLObjectType;
  eachField(info, set, type, (field) => {
    const graph = getGraphField(type.getFields()[field.name.value]?.extensions);
    if (graph === undefined) return;
    if (graph.is === "connection" || graph.is === "files" || graph.is === "made") selection.needsRecord = true;
    for (const member of listMembers(graph)) selection.members.add(member);
  });
}

/** Every field that applies to the type; null: to any. */
function eachField(
  info: Info,
  set: SelectionSetNode | undefined,
  type: GraphQLObjectType | null,
  act: (field: FieldNode) => void,
): void {
  for (const each of set?.selections ?? []) {
    if (each.kind === "Field") act(each);
    else {
      const fragment = each.kind === "FragmentSpread" ? info.fragments[each.name.value] : each;
      const condition = fragment?.typeCondition?.name.value;
      const applies =
        type === null ||
        condition === undefined ||
        condition === type.name ||
        type.getInterfaces().some(({ name }) => name === condition);
      if (applies) eachField(info, fragment?.selectionSet, type, act);
    }
  }
}

/** The selected fields that the serializer of the type knows, in the order of the declaration. */
export const pickFields = (type: Type, { members }: Selection): readonly string[] =>
  type.outputFields.filter((name) => members.has(name));
