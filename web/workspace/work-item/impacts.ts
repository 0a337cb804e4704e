/** From the lowest to the highest. */
export const impacts: readonly string[] = ["none", "low", "medium", "high", "top"];
