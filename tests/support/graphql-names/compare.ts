import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GraphQLEnumType, GraphQLInputObjectType, GraphQLObjectType, GraphQLSchema } from "graphql";

// Compares the public interface's names with the schema: missing names, and names with another type.

type PublicType = {
  root?: string | null;
  implements?: string[];
  views?: string[];
  filters?: string[];
  order?: string[];
  fields: string[];
  create?: string[];
};
type PublicNames = {
  types: Record<string, PublicType>;
  inputs: Record<string, string[]>;
  scalars: Record<string, string[]>;
};

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8"));
export const publicNames = readJson("public-names.json") as PublicNames;
/** Names without data or rules in this product, and deliberate differences. The list may only shrink. */
export const knownDifferences = readJson("known-differences.json") as string[];

const withoutMark = (type: string): string => type.replace(/!$/, "");

export function findDifferences(schema: GraphQLSchema): string[] {
  const found: string[] = [];
  const compare = (place: string, members: readonly string[], get: (name: string) => { type: unknown } | undefined) => {
    for (const member of members) {
      const [name = "", type] = member.split(": ");
      const field = get(name);
      if (field === undefined) found.push(`${place}.${name}`);
      else if (type !== undefined && withoutMark(String(field.type)) !== withoutMark(type))
        found.push(`${place}.${name}: ${withoutMark(String(field.type))} instead of ${withoutMark(type)}`);
    }
  };
  const compareNames = (place: string, names: readonly string[], has: (name: string) => boolean) => {
    for (const name of names) if (!has(name)) found.push(`${place} ${name}`);
  };
  const roots = schema.getQueryType()?.getFields() ?? {};
  for (const [name, expected] of Object.entries(publicNames.types)) {
    const type = schema.getType(name) as GraphQLObjectType | undefined;
    if (type === undefined) {
      found.push(`type ${name}`);
      continue;
    }
    compare(name, expected.fields, (member) => type.getFields()[member]);
    if (expected.root == null) continue;
    if (roots[expected.root] === undefined) found.push(`root ${expected.root}`);
    const interfaces = new Set(type.getInterfaces().map((each) => each.name));
    compareNames(`${name} implements`, expected.implements ?? [], (each) => interfaces.has(each));
    const views = schema.getType(`${name}View`) as GraphQLEnumType | undefined;
    compareNames(`${name} view`, expected.views ?? [], (each) => views?.getValue(each) !== undefined);
    const filter = schema.getType(`${name}Filter`) as GraphQLInputObjectType | undefined;
    compareNames(`${name} filter`, expected.filters ?? [], (each) => filter?.getFields()[each] !== undefined);
    const order = schema.getType(`${name}OrderField`) as GraphQLEnumType | undefined;
    compareNames(`${name} order`, expected.order ?? [], (each) => order?.getValue(each) !== undefined);
    if (expected.create === undefined) continue;
    const input = schema.getType(`${name}CreateInput`) as GraphQLInputObjectType | undefined;
    compare(`${name}CreateInput`, expected.create, (member) => input?.getFields()[member]);
  }
  for (const [name, members] of Object.entries(publicNames.inputs)) {
    const input = schema.getType(name) as GraphQLInputObjectType | undefined;
    if (input === undefined) found.push(`input ${name}`);
    else compare(name, members, (member) => input.getFields()[member]);
  }
  compareNames("scalar", Object.keys(publicNames.scalars), (name) => schema.getType(name) !== undefined);
  return found.sort();
}
