/** From the least to the greatest. */
export const impacts: readonly string[] = ["none", "low", "medium", "high", "top"];
