export { generic } from "../en/generic.ts";
