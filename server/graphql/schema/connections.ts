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
  description: "The position of a page in its list.",
  fields: {
    endCursor: { type: GraphQLString, description: "The cursor of the last record of the page, for after." },
    hasNextPage: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: "Whether there are records after this page.",
    },
    hasPreviousPage: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: "Whether there are records before this page.",
    },
    startCursor: { type: GraphQLString, description: "The cursor of the first record of the page, for before." },
  },
});

/** The arguments of every connection. */
export const pageArguments: GraphQLFieldConfigArgumentMap = {
  after: { type: GraphQLString, description: "Returns records after this cursor." },
  before: { type: GraphQLString, description: "Returns records before this cursor." },
  first: { type: GraphQLInt, description: "Returns the first n records, 1 to 100." },
  last: { type: GraphQLInt, description: "Returns the last n records, 1 to 100." },
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
        cursor: { type: new GraphQLNonNull(GraphQLString), description: "The cursor of the record in the list." },
        node: { type: getNode(), description: "The record." },
      }),
    });
    return new GraphQLObjectType({
      name: `${nodeName}Connection`,
      description: `A page of a list of ${nodeName} records.`,
      fields: () => ({
        edges: { type: new GraphQLList(edge), description: "The records with their cursors." },
        nodes: { type: new GraphQLList(getNode() as GraphQLOutputType), description: "The records." },
        pageInfo: { type: new GraphQLNonNull(pageInfoType), description: "The position of the page in the list." },
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
        description: "A file used in a text field.",
        fields: {
          expiringUrl: { type: GraphQLString, description: "A download URL, valid for one day." },
          filename: { type: GraphQLString, description: "The name of the file." },
          id: { type: new GraphQLNonNull(GraphQLID), description: "The nodeID of the attachment." },
          inline: { type: GraphQLBoolean, description: "Whether the file is shown inline in the text." },
          key: { type: GraphQLString, description: "The file key used in text fields." },
          size: { type: GraphQLInt, description: "The size in bytes." },
        },
      }),
  );
