import {
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import type { TimeSlices } from "../../base/time-slices.ts";
import type { CallContext } from "../call-context.ts";
import type { RootField } from "../model/access-needs.ts";
import { hasRoot } from "../model/graph-fields.ts";
import { pickRootName, pickTypeName } from "../model/names.ts";
import { resolveAccount, resolveMe, resolveNode, resolveNodes, resolveRoot } from "../read/resolvers.ts";
import { defineConnection } from "./connections.ts";
import { buildListArguments } from "./list-inputs.ts";
import { defineInterface, defineObject } from "./output-types.ts";
import { jsonScalar } from "./scalars.ts";
import { nonNullList, type SchemaContext } from "./schema-context.ts";

const required = (type: GraphQLObjectType) => new GraphQLNonNull(type);

export async function buildQueryType(context: SchemaContext, slices: TimeSlices): Promise<GraphQLObjectType> {
  const { types } = context.engine;
  const fields: GraphQLFieldConfigMap<unknown, CallContext> = {
    account: {
      type: required(defineObject(context, types.get("account"))),
      description: "The account of the call.",
      extensions: { root: { is: "account" } satisfies RootField },
      resolve: resolveAccount,
    },
    attachmentStorage: {
      type: required(storageType),
      description: "Where and how files are uploaded.",
      extensions: { root: { is: "storage" } satisfies RootField },
      resolve: (_source, _given, { buildStorage }) => buildStorage(),
    },
    me: {
      type: required(defineObject(context, types.get("person"))),
      description: "The authenticated person.",
      extensions: { root: { is: "me" } satisfies RootField },
      resolve: resolveMe,
    },
    node: {
      type: defineInterface(context, "Node"),
      description: "A record by its nodeID.",
      extensions: { root: { is: "node" } satisfies RootField },
      args: {
        id: { type: GraphQLID, description: "The nodeID." },
        nodeID: { type: GraphQLID, description: "The nodeID under another name; one of the two is needed." },
      },
      resolve: resolveNode,
    },
    nodes: {
      type: new GraphQLNonNull(new GraphQLList(defineInterface(context, "Node"))),
      description: "Records by their nodeIDs, at most 100, in the order of the ids; null for what is not found.",
      extensions: { root: { is: "node" } satisfies RootField },
      args: { ids: { type: new GraphQLNonNull(nonNullList(GraphQLID)), description: "The nodeIDs." } },
      resolve: resolveNodes,
    },
    rateLimit: {
      type: required(rateLimitType),
      description: "The points that are left, with this call.",
      extensions: { root: { is: "open" } satisfies RootField },
      resolve: (_source, _given, { cost }) => ({
        cost: cost.cost,
        limit: cost.limit,
        remaining: cost.remaining,
        resetAt: cost.reset,
      }),
    },
  };
  for (const type of types.all.filter(hasRoot)) {
    await slices.pause();
    fields[pickRootName(type.collection)] = {
      type: new GraphQLNonNull(defineConnection(context, pickTypeName(type.name), () => defineObject(context, type))),
      description: `Records of ${type.collection.replaceAll("_", " ")}.`,
      args: buildListArguments(context, type),
      extensions: { root: { is: "collection", target: type.name } satisfies RootField },
      resolve: resolveRoot(type),
    };
  }
  const sorted = Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  return new GraphQLObjectType({ name: "Query", description: "All queries.", fields: sorted });
}

const rateLimitType = new GraphQLObjectType({
  name: "RateLimit",
  description: "The points of the person in the current hour.",
  fields: {
    cost: { type: new GraphQLNonNull(GraphQLInt), description: "The points of this call." },
    limit: { type: new GraphQLNonNull(GraphQLInt), description: "The points of an hour." },
    remaining: { type: new GraphQLNonNull(GraphQLInt), description: "The points that are left." },
    resetAt: { type: new GraphQLNonNull(GraphQLInt), description: "When the next hour begins, in epoch seconds." },
  },
});

const storageType = new GraphQLObjectType({
  name: "AttachmentStorage",
  description: "Where and how files are uploaded.",
  fields: {
    allowedExtensions: { type: nonNullList(GraphQLString), description: "The endings that names of files may have." },
    provider: { type: GraphQLString, description: "The kind of storage." },
    providerParameters: { type: jsonScalar, description: "Parts of the form, to be sent before the file." },
    sizeLimit: { type: GraphQLInt, description: "The largest file, in bytes." },
    uploadUri: { type: GraphQLString, description: "Where the form is sent." },
  },
});
