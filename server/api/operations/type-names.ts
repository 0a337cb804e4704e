import type { TypeSelection } from "../../../records/vocabulary/index.ts";
import { listChangeableTypes } from "../../actions/bulk-changes/bulk-change-context.ts";
import { listSearchableTypes } from "../../engine/search/sources.ts";
import type { Types } from "../../engine/types.ts";
import { listExportTypes, listImportTypes } from "../../exchange/exchange-types.ts";
import { rowFileNames } from "../../exchange/row-files/row-file.ts";

// The names of types that parameters and bodies take.

const selections: Record<TypeSelection, (types: Types) => readonly string[]> = {
  searchable: (types) => listSearchableTypes(types).map(({ scopeName }) => scopeName),
  importable: (types) => [...listImportTypes(types).map(({ name }) => name), ...rowFileNames].sort(),
  exportable: (types) => [...listExportTypes(types).map(({ name }) => name), ...rowFileNames].sort(),
  "bulk-changeable": (types) => listChangeableTypes(types.all).map(({ collection }) => collection),
};

export const listTypeNames = (types: Types, among: TypeSelection): readonly string[] => selections[among](types);
