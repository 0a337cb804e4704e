/**
 * The suite uses as much data as a proof needs: a test of dying servers depends on how often and at which moments they
 * die. TEST_SCALE=full runs the same tests with more data.
 */
export const atScale = (usual: number, full: number): number => (process.env.TEST_SCALE === "full" ? full : usual);
