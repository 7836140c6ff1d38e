import { describe, it } from "vitest";
import { blobSuite } from "./blob-suite.js";
import { memoryBlobStore } from "./memory-blob-store.js";

describe("the blob store in memory", () => blobSuite({ describe, it }, async () => ({ blobs: memoryBlobStore() })));
