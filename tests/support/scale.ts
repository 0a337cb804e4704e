/**
 * The suite runs with as much data as a proof needs: what makes a story of dying servers telling is how often and at which
 * moments they die. TEST_SCALE=full tells the same stories with more of it.
 */
export const atScale = (usual: number, full: number): number => (process.env.TEST_SCALE === "full" ? full : usual);
