declare module "virtual:type-index" {
  import type { RecordType } from "../records/vocabulary/index.ts";
  /**
   * The part of a record type that web/vite.config.ts puts into the index; members with a negative value are left out.
   */
  export type IndexedType = Pick<RecordType, "name"> & {
    /** if it isn't the name with an "s" */
    collection?: string;
    storage?: Pick<RecordType["storage"], "journal">;
    access?: Pick<RecordType["access"], "restricted" | "onlyRoles">;
    listed?: true;
    /** the enumeration with the labels of its status, if it isn't "<name>.status" */
    statuses?: string;
  };
  export const types: readonly IndexedType[];
}

declare module "virtual:grants" {
  import type { Grant } from "../records/people/grants.ts";
  /** By role. */
  export const grants: Readonly<Record<string, readonly Pick<Grant, "on" | "may">[]>>;
}

declare module "virtual:change-log" {
  /** CHANGELOG.md */
  export const changeLog: string;
}

declare module "virtual:first-choices/*" {
  import type { Language } from "../records/languages/language.ts";
  export const choices: Language["choices"];
}
