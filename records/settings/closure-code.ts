import { record } from "../vocabulary/index.ts";
import { categoryTable } from "./category-table.ts";

export const closureCode = record("closure_code", { collection: "closure_codes", ...categoryTable, sort: "position" });
