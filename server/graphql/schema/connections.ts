import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from "graphql";
import type { SchemaContext } from "./schema-context.ts";

export const pageInfoType = new GraphQLObjectType({
  name: "PageInfo",
  description: "Where a page lies in its list.",
  fields: {
    endCursor: { type: GraphQLString, description: "The cursor of the last record of the page, for after." },
    hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean), description: "Whether records follow." },
    hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean), description: "Whether records precede." },
    startCursor: { type: GraphQLString, description: "The cursor of the first record of the page, for before." },
  },
});

/** The arguments of every connection. */
export const pageArguments: GraphQLFieldConfigArgumentMap = {
  after: { type: GraphQLString, description: "Only records behind this cursor." },
  before: { type: GraphQLString, description: "Only records before this cursor." },
  first: { type: GraphQLInt, description: "How many records from the beginning, 1 to 100." },
  last: { type: GraphQLInt, description: "How many records from the end, 1 to 100." },
};

/** The pages of a list of records of that type. */
export const defineConnection = (
  context: SchemaContext,
  nodeName: string,
  getNode: () => GraphQLObjectType,
): GraphQLObjectType =>
  context.define(`${nodeName}Connection`, () => {
    const edge = new GraphQLObjectType({
      name: `${nodeName}Edge`,
      description: `A ${nodeName} in a list.`,
      fields: () => ({
        cursor: { type: new GraphQLNonNull(GraphQLString), description: "The place of the record in the list." },
        node: { type: getNode(), description: "The record." },
      }),
    });
    return new GraphQLObjectType({
      name: `${nodeName}Connection`,
      description: `A page of a list of ${nodeName} records.`,
      fields: () => ({
        edges: { type: new GraphQLList(edge), description: "The records with their cursors." },
        nodes: { type: new GraphQLList(getNode() as GraphQLOutputType), description: "The records." },
        pageInfo: { type: new GraphQLNonNull(pageInfoType), description: "Where the page lies in the list." },
        totalCount: { type: new GraphQLNonNull(GraphQLInt), description: "The number of records in the whole list." },
      }),
    });
  });

export const defineAttachment = (context: SchemaContext): GraphQLObjectType =>
  context.define(
    "Attachment",
    () =>
      new GraphQLObjectType({
        name: "Attachment",
        description: "A file that a text uses.",
        fields: {
          expiringUrl: { type: GraphQLString, description: "Where the file can be downloaded, for a day." },
          filename: { type: GraphQLString, description: "The name of the file." },
          id: { type: new GraphQLNonNull(GraphQLID), description: "The nodeID of the attachment." },
          inline: { type: GraphQLBoolean, description: "Whether the text shows the file." },
          key: { type: GraphQLString, description: "The key of the file, which texts refer to." },
          size: { type: GraphQLInt, description: "Bytes." },
        },
      }),
  );
