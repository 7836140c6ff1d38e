import { join } from "node:path";
import { authenticateKey } from "../../../packages/core/src/access/authenticate.js";
import { createRunCommit } from "../../../packages/core/src/commit/run-commit.js";
import { systemRandom } from "../../../packages/core/src/kernel/random.js";
import { deriveSecrets } from "../../../packages/core/src/kernel/secret-box.js";
import { admitKeyRequest } from "../../../packages/core/src/limits/rate-limiter.js";
import { openBetterAuth } from "../baseline/better-auth.js";
import { type Benchmark, rateRatio } from "../harness/benchmark.js";
import { CONCURRENT, concurrently } from "../harness/concurrently.js";
import { withFolder } from "../harness/folders.js";
import { functionSide } from "../harness/function-side.js";
import { measureInTurn } from "../harness/rounds.js";
import { copyOfOurDatabase, type OurDatabase } from "../ours/database.js";
import { openService } from "../ours/service.js";

export const keyVerification: Benchmark = {
  title: `verifying a key and counting the request, ${CONCURRENT} at a time, beside better-auth`,
  run: (settings) =>
    withFolder(async (folder) => {
      const ours = await copyOfOurDatabase(settings.budgets, folder);
      const inFile = openVerifier(ours, "file");
      const inMemory = openVerifier(ours, "memory");
      const betterAuth = await openBetterAuth(join(folder, "better-auth.db"));
      const [file, memory, other] = await measureInTurn(
        [
          functionSide("Budgetkit, windows in a file", concurrently(inFile.verify)),
          functionSide("Budgetkit, windows in memory", concurrently(inMemory.verify)),
          functionSide(
            "better-auth, one window",
            concurrently(() => betterAuth.isValid(betterAuth.key)),
          ),
        ],
        settings,
      );
      await Promise.all([inFile.close(), inMemory.close()]);
      return {
        measured: [file, memory, other],
        figures: [
          rateRatio({ recorded: "key verification, windows in a file / better-auth" }, file, other),
          rateRatio("keyVerification", memory, other),
        ],
      };
    }),
};

function openVerifier({ path, keys: [key = ""] }: OurDatabase, limiter: "file" | "memory") {
  const { store, close } = openService(path, limiter);
  const context = {
    store,
    commit: createRunCommit({ store, planDeliveries: async () => null, announce: () => {} }),
    limits: store,
    clock: { now: Date.now, monotonicMs: () => performance.now() },
    random: systemRandom,
    ids: { next: neverAsked, take: neverAsked },
    secrets: deriveSecrets(["unused"], systemRandom),
    hasher: { hash: neverAsked, verify: neverAsked, needsRehash: () => false },
    byAccount: neverAsked,
    mailer: null,
    underWay: new Set<Promise<void>>(),
    passwordPageUrl: null,
    publicBaseUrl: "http://localhost:3000/v1",
    quota: { budgets: null, bytes: null },
    allowPrivateDestinations: false,
    cancelCallbacks: neverAsked,
    usesUnderWay: new Set<string>(),
    onError: (error: unknown) => {
      throw error;
    },
  };
  return {
    close,
    verify: async (): Promise<boolean> => {
      const now = Date.now();
      const found = await authenticateKey(context, key, "127.0.0.1", now);
      if (found.isErr()) return false;
      return (await admitKeyRequest(store, found.value, now)).refusal === null;
    },
  };
}

async function neverAsked(): Promise<never> {
  throw new Error("verifying a key asks for nothing else");
}
