import { afterAll } from "vitest";
import { runCleanups } from "./cleanup.ts";

// Runs for every test file, also when several share a worker and its modules.

afterAll(runCleanups);
