import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLScalarType,
  GraphQLString,
} from "graphql";
import type { Field } from "../../../records/vocabulary/index.ts";
import { getGraphForm, getKind } from "../../engine/kinds/index.ts";
import type { Type } from "../../engine/types.ts";
import {
  isSearchable,
  pickCustomFields,
  pickFilterMembers,
  pickOrderFields,
  pickViews,
} from "../model/list-arguments.ts";
import { pickTypeName } from "../model/names.ts";
import { pickPathTarget } from "../read/path-filters.ts";
import { pageArguments } from "./connections.ts";
import type { SchemaContext } from "./schema-context.ts";

// The arguments of the collections in the root: filter, order and view.

/** Filters by these fields take one name, not a list. */
const plainNames = new Set(["calendar.name", "service_category.name"]);

export function buildListArguments(context: SchemaContext, type: Type): GraphQLFieldConfigArgumentMap {
  const filter = defineFilter(context, type);
  const order = defineOrder(context, type);
  return {
    ...pageArguments,
    ...(filter === null ? {} : { filter: { type: filter, description: "Returns records that match all conditions." } }),
    ...(order === null
      ? {}
      : {
          order: {
            type: new GraphQLList(new GraphQLNonNull(order)),
            description: "The sort order; later members break ties.",
          },
        }),
    view: {
      type: defineView(context, type),
      description: "A predefined filter; current_account by default.",
    },
  };
}

function defineFilter(context: SchemaContext, type: Type): GraphQLInputObjectType | null {
  const name = pickTypeName(type.name);
  const fields: GraphQLInputFieldConfigMap = {};
  for (const [member, { steps, field }] of pickFilterMembers(type))
    fields[member] = {
      type: pickFilterInput(context, type, pickPathTarget(context.engine.types, type, steps), field, member),
      description: `By ${[...steps, field].map((step) => step.replaceAll("_", " ")).join(", ")}.`,
    };
  if (pickCustomFields(type) !== null)
    fields.customFilters = {
      type: new GraphQLList(new GraphQLNonNull(defineCustomFilter(context, name))),
      description: "By custom fields.",
    };
  if (isSearchable(type))
    fields.query = { type: GraphQLString, description: "Full-text search, or the number of the record." };
  if (Object.keys(fields).length === 0) return null;
  return context.define(`${name}Filter`, () => new GraphQLInputObjectType({ name: `${name}Filter`, fields }));
}

const defineCustomFilter = (context: SchemaContext, typeName: string): GraphQLInputObjectType =>
  context.define(
    `${typeName}CustomFilter`,
    () =>
      new GraphQLInputObjectType({
        name: `${typeName}CustomFilter`,
        fields: {
          name: {
            type: new GraphQLNonNull(GraphQLString),
            description: "The name of the filter or the id of the field.",
          },
          negate: { type: GraphQLBoolean, description: "Excludes records with any of the values." },
          values: { type: new GraphQLList(GraphQLString), description: "Values, which may begin with <, <=, > or >=." },
        },
      }),
  );

function pickFilterInput(
  context: SchemaContext,
  type: Type,
  target: Type,
  name: string,
  member: string,
): GraphQLInputType {
  if (name === "account" && target.fields.account === undefined)
    return defineValuesFilter(context, "TextFilter", GraphQLString);
  const field = target.fields[name] as Field;
  const form = getGraphForm(field);
  if (plainNames.has(`${type.name}.${name}`)) return GraphQLString;
  if (form.is === "id") return defineValuesFilter(context, "IDFilter", GraphQLID);
  if (form.is === "reference") {
    const isAccount = form.targets.every((target) => context.engine.types.get(target).routes.singleton);
    return isAccount
      ? defineValuesFilter(context, "TextFilter", GraphQLString)
      : defineValuesFilter(context, "IDFilter", GraphQLID);
  }
  const scalar = context.pickScalar(form);
  if (scalar === GraphQLBoolean) return GraphQLBoolean;
  if (form.is === "choice") {
    const own = `${pickTypeName(type.name)}${member.charAt(0).toUpperCase()}${member.slice(1)}Filter`;
    return defineValuesFilter(context, own, scalar);
  }
  if (getKind(field).filter?.has("range")) return defineRangeFilter(context, scalar);
  return defineValuesFilter(context, "TextFilter", GraphQLString);
}

const defineValuesFilter = (context: SchemaContext, name: string, scalar: GraphQLScalarType): GraphQLInputObjectType =>
  context.define(
    name,
    () =>
      new GraphQLInputObjectType({ name, fields: buildValuesFields(scalar), description: `By values of ${scalar}.` }),
  );

const buildValuesFields = (scalar: GraphQLScalarType): GraphQLInputFieldConfigMap => ({
  negate: { type: GraphQLBoolean, description: "Excludes records with any of the values." },
  values: {
    type: new GraphQLList(scalar),
    description: "One of these; an empty list or null: records without a value.",
  },
});

const defineRangeFilter = (context: SchemaContext, scalar: GraphQLScalarType): GraphQLInputObjectType =>
  context.define(
    `${scalar.name}RangeFilter`,
    () =>
      new GraphQLInputObjectType({
        name: `${scalar.name}RangeFilter`,
        description: `By values and limits of ${scalar}; several limits form a range.`,
        fields: {
          greaterThan: { type: scalar, description: "Only greater values." },
          greaterThanOrEqualTo: { type: scalar, description: "Only greater or equal values." },
          lessThan: { type: scalar, description: "Only lesser values." },
          lessThanOrEqualTo: { type: scalar, description: "Only lesser or equal values." },
          ...buildValuesFields(scalar),
        },
      }),
  );

const direction = new GraphQLEnumType({
  name: "OrderDirection",
  description: "The direction of an order.",
  values: { asc: { description: "Smallest first." }, desc: { description: "Largest first." } },
});

function defineOrder(context: SchemaContext, type: Type): GraphQLInputObjectType | null {
  const name = pickTypeName(type.name);
  const fields = pickOrderFields(type);
  if (fields.size === 0) return null;
  return context.define(`${name}Order`, () => {
    const values = Object.fromEntries([...fields].map(([member, sort]) => [member, { value: sort }]));
    const orderField = new GraphQLEnumType({
      name: `${name}OrderField`,
      description: `What ${name} records are sorted by.`,
      values,
    });
    return new GraphQLInputObjectType({
      name: `${name}Order`,
      description: `The order of a list of ${name} records.`,
      fields: {
        direction: { type: direction, description: "Ascending by default." },
        field: { type: new GraphQLNonNull(orderField), description: "What decides." },
      },
    });
  });
}

const defineView = (context: SchemaContext, type: Type): GraphQLEnumType => {
  const name = `${pickTypeName(type.name)}View`;
  return context.define(name, () => {
    const values = Object.fromEntries([...pickViews(type).keys()].sort().map((view) => [view, {}]));
    return new GraphQLEnumType({
      name,
      description: `Predefined lists of ${pickTypeName(type.name)} records.`,
      values,
    });
  });
};
