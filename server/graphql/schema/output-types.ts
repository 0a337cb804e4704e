import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from "graphql";
import type { Type } from "../../engine/types.ts";
import type { CallContext } from "../call-context.ts";
import { type GraphField, isConnection, listGraphFields } from "../model/graph-fields.ts";
import { pickTypeName } from "../model/names.ts";
import type { RecordSource } from "../read/record-source.ts";
import { buildResolver } from "../read/resolvers.ts";
import { defineAttachment, defineConnection, pageArguments } from "./connections.ts";
import { pickMadeOutput } from "./made-types.ts";
import { jsonScalar, timestampScalar } from "./scalars.ts";
import { nonNullList, type SchemaContext } from "./schema-context.ts";

// The object types of records, and their interfaces.

type RecordField = GraphQLFieldConfig<RecordSource, CallContext>;

/** Interfaces by the fields that a type must have; the connection names the type of its records. */
const interfaceNames = {
  Node: ["id"],
  Record: ["id", "account", "createdAt", "updatedAt"],
  HasLifeCycleState: ["id", "lifeCycleState"],
  HasNotes: ["id", "notes"],
  HasAutomationRules: ["id", "automationRules"],
  HasTimeEntries: ["id", "timeEntries"],
  HasSprintBacklogItems: ["id", "sprintBacklogItems"],
  HasInvoices: ["id", "invoices"],
  AgileBoardItem: ["id", "agileBoard", "agileBoardColumn", "agileBoardColumnPosition"],
} as const;
type InterfaceName = keyof typeof interfaceNames;

/** The types of the records in the list that an interface promises. */
const listedTypes: Partial<Record<InterfaceName, string>> = {
  HasNotes: "note",
  HasAutomationRules: "automation_rule",
  HasTimeEntries: "time_entry",
  HasSprintBacklogItems: "sprint_backlog_item",
  HasInvoices: "invoice",
};

/** The types of the records that fields of interfaces refer to. */
const referencedTypes: Record<string, string> = {
  agileBoard: "agile_board",
  agileBoardColumn: "agile_board_column",
};

export function defineObject(context: SchemaContext, type: Type): GraphQLObjectType {
  const name = pickTypeName(type.name);
  return context.define(name, () => {
    const { types } = context.engine;
    const fields = listGraphFields(type, types);
    return new GraphQLObjectType<RecordSource, CallContext>({
      name,
      description: `A record of ${type.collection.replaceAll("_", " ")}.`,
      extensions: { record: type.name },
      interfaces: () => pickInterfaces(fields, type).map((each) => defineInterface(context, each)),
      fields: () => {
        const config: GraphQLFieldConfigMap<RecordSource, CallContext> = {};
        for (const field of fields) config[field.name] = buildField(context, type, field);
        return config;
      },
    });
  });
}

function pickInterfaces(fields: readonly GraphField[], type: Type): InterfaceName[] {
  if (type.routes.singleton) return [];
  return (Object.keys(interfaceNames) as InterfaceName[]).filter((name) => {
    const listed = listedTypes[name];
    return interfaceNames[name].every((wanted) =>
      fields.some(
        (field) =>
          field.name === wanted &&
          (listed === undefined || field.is !== "connection" || field.target === listed) &&
          (wanted !== "account" || field.is === "account" || field.is === "reference"),
      ),
    );
  });
}

export function defineInterface(context: SchemaContext, name: InterfaceName): GraphQLInterfaceType {
  return context.define(
    name,
    () =>
      new GraphQLInterfaceType({
        name,
        description: `Records with ${interfaceNames[name].join(", ")}.`,
        resolveType: (source: RecordSource) => pickTypeName(source.type.name),
        fields: () => {
          const config: GraphQLFieldConfigMap<RecordSource, CallContext> = {};
          for (const field of interfaceNames[name]) config[field] = buildInterfaceField(context, name, field);
          return config;
        },
      }),
  );
}

function buildInterfaceField(context: SchemaContext, owner: InterfaceName, field: string): RecordField {
  const { types } = context.engine;
  if (field === "id") return { type: new GraphQLNonNull(GraphQLID), description: "The nodeID of the record." };
  if (field === "account")
    return { type: defineObject(context, types.get("account")), description: "The account of the record." };
  if (field === "createdAt" || field === "updatedAt") return { type: timestampScalar, description: `${field}.` };
  if (field === "lifeCycleState")
    return { type: context.enumerations.get("life_cycle.state", lifeCycleStates), description: "Active or not." };
  if (field.endsWith("Position")) return { type: GraphQLInt, description: "The topmost has 1." };
  const referenced = referencedTypes[field];
  if (referenced !== undefined)
    return { type: defineObject(context, types.get(referenced)), description: `The ${field} of the record.` };
  const target = types.get(listedTypes[owner] as string);
  return {
    type: new GraphQLNonNull(defineConnection(context, pickTypeName(target.name), () => defineObject(context, target))),
    description: `The ${field} of the record.`,
    args: pageArguments,
    extensions: { graph: { is: "connection", name: field, target: target.name } },
  };
}

const lifeCycleStates = ["active", "archived", "trashed", "erased"];

export const defineCustomField = (context: SchemaContext): GraphQLObjectType =>
  context.define(
    "CustomField",
    () =>
      new GraphQLObjectType({
        name: "CustomField",
        description: "The value of a field that a form of the account defines.",
        fields: {
          id: { type: new GraphQLNonNull(GraphQLString), description: "The id of the field in its form." },
          value: { type: jsonScalar, description: "Its value." },
        },
      }),
  );

function buildField(context: SchemaContext, type: Type, field: GraphField): RecordField {
  return {
    type: pickOutput(context, field),
    description: field.description,
    extensions: { graph: field },
    resolve: buildResolver(type, field),
    ...(isConnection(field) ? { args: pageArguments } : {}),
  };
}

function pickOutput(context: SchemaContext, field: GraphField): GraphQLOutputType {
  const { types } = context.engine;
  switch (field.is) {
    case "id":
      return new GraphQLNonNull(GraphQLID);
    case "number":
      return GraphQLID;
    case "life cycle":
      return context.enumerations.get("life_cycle.state", lifeCycleStates);
    case "account":
      return defineObject(context, types.get("account"));
    case "value":
      if (field.form.is === "custom fields") return nonNullList(defineCustomField(context));
      if (field.form.is === "texts") return new GraphQLList(new GraphQLNonNull(GraphQLString));
      return context.pickScalar(field.form);
    case "reference":
      return field.targets.length === 1
        ? defineObject(context, types.get(field.targets[0] as string))
        : defineInterface(context, "Node");
    case "owner":
    case "subject":
      return defineInterface(context, field.of as InterfaceName);
    case "connection": {
      const target = types.get(field.target);
      const node = () => defineObject(context, target);
      return new GraphQLNonNull(defineConnection(context, pickTypeName(target.name), node));
    }
    case "made":
      return pickMadeOutput(context, field.made, defineObject);
    case "files":
      return new GraphQLNonNull(defineConnection(context, "Attachment", () => defineAttachment(context)));
  }
}
