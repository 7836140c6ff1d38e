import { describe, it } from "vitest";
import { memoryStore } from "./memory-store/index.js";
import { storeSuite } from "./store-suite/index.js";

describe("the memory store", () => {
  storeSuite({ describe, it }, async () => ({ store: memoryStore() }));
});
