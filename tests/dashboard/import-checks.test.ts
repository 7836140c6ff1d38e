import { createBudgetService } from "@budgetkit/core";
import { memoryStore } from "@budgetkit/testing";
import { expect, it, onTestFinished } from "vitest";
import { checkCuit, checkDni, checkEmail, checkId } from "../../packages/dashboard/app/screens/import/cell-checks.js";

it("the checks of an import take and refuse what the service takes and refuses", async () => {
  const store = memoryStore();
  const service = createBudgetService({ store, secret: "a secret of at least thirty-two characters" });
  onTestFinished(async () => {
    await service.stop();
    await store.close();
  });
  const { id: businessId } = (await service.businesses.create({ name: "Roble" }))._unsafeUnwrap();
  const samples = {
    email: [
      "jörg@müller.example",
      "a..b@example.com",
      "a@b",
      "a@b.c1",
      "a b@example.com",
      ".a@example.com",
      "a+b@x.co",
    ],
    cuit: ["20-12345678-6", "20 12345678 1", "00000000000", "2012345678"],
    dni: ["1234567", "30.123.456", "123456", "a1234567"],
    id: ["ana", "ana:1._-", "ana 1", "añá"],
  } as const;
  const checks = { email: checkEmail, cuit: checkCuit, dni: checkDni, id: checkId };
  for (const field of ["email", "cuit", "dni", "id"] as const) {
    for (const text of samples[field]) {
      const result = await service.customers.create({ kind: "system", businessId }, { name: "Ana", [field]: text });
      expect([field, text, checks[field](text) === null]).toEqual([field, text, result.isOk()]);
    }
  }
});
