import type { Condition } from "./conditions.ts";

// The properties of a record type that most types do not mention, in groups. `N` names a field of the type, `T` a type.

/** How its endpoints differ from those of an ordinary type. */
export type Routes = {
  /** status of a successful create; the spec shows 200 for some */
  createStatus: 200 | 201;
  /** the body of the response to a successful create */
  createResponse: "record" | "id";
  /** an owned type that has a read-only collection of its own as well */
  hasOwnCollection: boolean;
  /** has no collection: records are read and created only through links of other records */
  onlyThroughLinks: boolean;
  /** one record per account, the account itself: GET /<name> */
  singleton: boolean;
  /** POST with dry_run=true answers the record as it would be, with the rows of these lists */
  dryRun: { shows: readonly string[] } | null;
  /** an avatar may be posted to /<collection>/:id/avatar */
  hasAvatar: boolean;
  /** parameters that filter by something other than a field; server/rules implements them */
  specialFilters: readonly string[];
  /** the maximum number of records in a list, which says when it is reached */
  cap: number | null;
  /** what share of the records that meet some filters also meet others, for summaries */
  shares: Readonly<Record<string, Share>>;
};

/** Filters in the syntax of lists, by their names: the records that count, and those among them that make up the share. */
export type Share = { among: Readonly<Record<string, string>>; are: Readonly<Record<string, string>> };

/** How its records are written as JSON. */
export type Serialize<N extends string = string> = {
  /** further fields shown in references */
  referenceFields: readonly N[];
  /** whether list rows show `disabled` always, or only when it is true */
  showsDisabled: "always" | "when true";
  /** fields that responses show if and only if they have a value, also where they are not selected */
  includeIfPresent: readonly N[];
  /** fields that lists leave out where they are blank */
  omitFromListsIfBlank: readonly N[];
  /** responses leave blank members out */
  omitBlankMembers: boolean;
};

/** How its rows are stored. */
export type Storage<T extends string = string> = {
  /** has no table of its own: server/rules defines the rows, under `rows` */
  virtual: boolean;
  /**
   * One row joins two records and is read from both ends: the references to the two, and values that the other end sees
   * as others.
   */
  bidirectional: { here: string; there: string; turned: Record<string, Record<string, string>> } | null;
  /** the type whose sequence of ids this one uses too */
  sharesIdsWith: T | null;
  /** only the service writes it; it has no foreign keys, which makes writing faster */
  journal: boolean;
  /** false: changes have no audit line */
  audited: boolean;
  /** the table is expected to grow without bound: every filter and sort gets its index */
  grows: boolean;
  /** null: with the account where the table grows or belongs to one that does, everywhere otherwise */
  placement: Placement | null;
};

/**
 * The place of rows once the accounts are divided among several database servers: on the server of their account, in full on
 * every server, or on the one server that coordinates the others.
 */
export type Placement = "account" | "everywhere" | "coordinator";

/** Other accounts' use of its records. */
export type Sharing<N extends string = string> = {
  /** records of the directory account are visible in its support domains */
  sharedByDirectory: boolean;
  /** records of other accounts that may be read and referred to from here */
  acrossAccounts: Condition | null;
  /** fields of which every participating account has a value of its own */
  perAccount: readonly N[];
  /**
   * other accounts may view a record without the fields of `without`: those that server/rules enters as its viewers
   */
  viewers: { without: readonly N[] } | null;
};

/** Permissions on its records, in addition to the grants of the roles. */
export type Access<N extends string = string> = {
  /** the rows that a caller may see, in addition to the rights on them or on their owner */
  visible: Condition<N> | null;
  /** covered only by grants that name the type or say "everything" */
  restricted: boolean;
  /** only these roles have any rights, regardless of other grants */
  onlyRoles: readonly string[] | null;
};

/** How its records leave. */
export type Deletion = {
  /**
   * Archive, trash and restore; `when` is the condition for archiving and trashing. `with`: only together with the record
   * that this field refers to.
   */
  archivable: { when?: { field: string; is: readonly (string | boolean)[]; message: string }; with?: string } | null;
  /** `marks`: a deleted record stays, with that field set; with `once`, only when that other field is true */
  deletable: boolean | { marks: string; once?: string };
  /** an account may erase its records some time after this moment; `when`: only those of which that field has that value */
  expires: { since: string; when?: { field: string; is: string } } | null;
  /** its records contain personal data: the values of an anonymized one; {id} is its id */
  anonymous: Readonly<Record<string, string | boolean | null>> | null;
};

export type Groups = {
  routes: Routes;
  serialize: Serialize;
  storage: Storage;
  sharing: Sharing;
  access: Access;
  deletion: Deletion;
};
/** A declaration names the properties in which its type is not ordinary. */
export type DeclaredGroups<N extends string, T extends string> = {
  routes?: Partial<Routes>;
  serialize?: Partial<Serialize<N>>;
  storage?: Partial<Storage<T>>;
  sharing?: Partial<Sharing<N>>;
  /** a condition can also test the account of a row */
  access?: Partial<Access<N | "account">>;
  deletion?: Partial<Deletion>;
};

/** Completes the groups of a declaration with what holds for an ordinary type. */
export const completeGroups = (declared: DeclaredGroups<string, string>): Groups => ({
  routes: {
    createStatus: 201,
    createResponse: "record",
    hasOwnCollection: false,
    onlyThroughLinks: false,
    singleton: false,
    dryRun: null,
    hasAvatar: false,
    specialFilters: [],
    cap: null,
    shares: {},
    ...declared.routes,
  },
  serialize: {
    referenceFields: [],
    showsDisabled: "when true",
    includeIfPresent: [],
    omitFromListsIfBlank: [],
    omitBlankMembers: false,
    ...declared.serialize,
  },
  storage: {
    virtual: false,
    bidirectional: null,
    sharesIdsWith: null,
    journal: false,
    audited: true,
    grows: false,
    placement: null,
    ...declared.storage,
  },
  sharing: { sharedByDirectory: false, acrossAccounts: null, perAccount: [], viewers: null, ...declared.sharing },
  access: { visible: null, restricted: false, onlyRoles: null, ...declared.access },
  deletion: { archivable: null, deletable: false, expires: null, anonymous: null, ...declared.deletion },
});
