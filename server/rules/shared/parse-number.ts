export { parseNumberOrNull } from "../../storage/rows.ts";
