import { verifyCheckpoint } from "@budgetkit/client/evidence";
import { expect, it } from "vitest";
import { validCheckpoint } from "./checkpoint-file.js";

it("removes the control characters of a refused checkpoint before the terminal", async () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const header = { alg: "EdDSA", kid: "k", "x\u001b]0;owned\u0007": 1 };
  const parts = { payload: part({ type: "budgetkit.ledger.v1" }), protected: part(header), signature: "AAAA" };
  const refused = await verifyCheckpoint(Buffer.from(JSON.stringify(parts)), { keys: [] });
  expect(() => validCheckpoint(refused)).toThrow(/^The checkpoint is not valid: protected\.[\P{Cc}]*is not known\.$/u);
});
