import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{records,server,tests}/**/*.test.ts"],
    globalSetup: ["tests/support/database.ts"],
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // Two cores: more workers than that only wait for each other.
    maxWorkers: 3,
  },
});
