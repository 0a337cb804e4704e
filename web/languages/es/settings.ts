export { settings } from "../en/settings.ts";
