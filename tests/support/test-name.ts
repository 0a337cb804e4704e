import type { TestCase } from "vitest/node";

/** The file and full title of a test, for reports at the end of a run. */
export const nameTest = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;
