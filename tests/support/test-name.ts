import type { TestCase } from "vitest/node";

/** The file and the full title of a test, as reports at the end of a run name it. */
export const nameTest = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;
