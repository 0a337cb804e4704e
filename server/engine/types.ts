import type { RecordType } from "../../records/vocabulary/index.ts";
import { findDeclarationProblems } from "./declaration/check.ts";
import { connectTypes, prepareType } from "./declaration/prepare.ts";
import type { Type, TypeRegistry } from "./declaration/type.ts";
import type { Rules } from "./rules.ts";

export type { BodyMember, Owner, Type } from "./declaration/type.ts";
export { singular } from "./kinds/singular.ts";

/** All record types, prepared for use. Declarations that do not agree with each other stop the start. */
export class Types implements TypeRegistry {
  readonly all: readonly Type[];
  private readonly byName: ReadonlyMap<string, Type>;

  constructor(register: readonly RecordType[], rules: Rules) {
    this.all = register.map((type) => prepareType(type, rules));
    this.byName = new Map(this.all.map((type) => [type.name, type]));
    connectTypes(this.byName);
    const problems = findDeclarationProblems(this.all, rules);
    if (problems.length > 0) throw new Error(`The declarations in records/ do not agree:\n  ${problems.join("\n  ")}`);
  }

  /** A type by its name; the checks at the start guarantee that every name in a declaration exists. */
  get(name: string): Type {
    const type = this.byName.get(name);
    if (type === undefined) throw new Error(`no record type "${name}"`);
    return type;
  }

  has = (name: string): boolean => this.byName.has(name);
}
