import { register } from "../../records/index.ts";
import { Rules } from "../engine/rules.ts";
import { Types } from "../engine/types.ts";
import { typeRules } from "../rules/index.ts";
import { defineCommand } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";

export const graphqlSchema = defineCommand({
  name: "graphql-schema",
  summary: "Print the GraphQL schema.",
  details: "The schema depends only on the version, so no database is needed.",
  options: {},
  example: `${program} graphql-schema > schema.graphql`,
  async run(_options, terminal) {
    const { buildGraphqlSchema, printGraphqlSchema } = await import("../graphql/schema/build-schema.ts");
    const schema = await buildGraphqlSchema({ types: new Types(register, new Rules(typeRules)) });
    terminal.print((await printGraphqlSchema(schema)).trimEnd());
    return 0;
  },
});
