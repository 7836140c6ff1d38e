// What hosts do in tests of their own: a login, an approval, a link that its customer accepts, its evidence, a PDF.
import { createBudgetService } from "@budgetkit/core";
import { pdfDocuments } from "@budgetkit/pdf";
import { sqliteStore } from "@budgetkit/store-sqlite";

const PASSWORD = "a long and rare pass phrase";

export async function everydayCalls(): Promise<string> {
  const service = createBudgetService({
    store: sqliteStore(":memory:"),
    secret: "a secret of at least thirty-two characters",
    publicBaseUrl: "http://localhost",
    pdf: pdfDocuments(),
  });
  const { id: businessId } = (await service.businesses.create({ name: "Carpentry" }))._unsafeUnwrap();
  const owner = {
    businessId,
    email: "ana@shop.example",
    password: PASSWORD,
    displayName: "Ana",
    role: "OWNER",
  } as const;
  (await service.users.create(owner))._unsafeUnwrap();
  const login = await service.fetch(
    new Request("http://localhost/auth/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: owner.email, password: PASSWORD }),
    }),
  );
  const { access_token: token } = (await login.json()) as { access_token: string };
  const keys = await service.fetch(
    new Request("http://localhost/api-keys", { headers: { authorization: `Bearer ${token}` } }),
  );

  const carpenter = { kind: "system", businessId } as const;
  const made = async () => {
    const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
    return (await service.budgets.create(carpenter, { customerId: "ana", items }))._unsafeUnwrap();
  };
  const approved = (await service.budgets.update(carpenter, (await made()).id, { status: "APPROVED" }))._unsafeUnwrap();
  const { publicToken } = (await service.budgets.createPublicLink(carpenter, (await made()).id))._unsafeUnwrap();
  const { version } = (await service.budgets.openPublicLink(publicToken))._unsafeUnwrap();
  (await service.budgets.answerPublicLink(publicToken, "accept", { version, name: "Ana" }))._unsafeUnwrap();
  const evidence = await service.fetch(new Request(`http://localhost/p/${publicToken}/evidence.json`));
  const pdf = await service.fetch(new Request(`http://localhost/p/${publicToken}.pdf`));
  const { byteLength } = await pdf.arrayBuffer();
  await service.stop();
  return [login.status, keys.status, approved.status, evidence.status, pdf.status, byteLength > 1_000].join(" ");
}
