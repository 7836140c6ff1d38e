// A CommonJS application on Express that imports every package, and a client of it.
import type { AddressInfo } from "node:net";
import { budgetkitExpress } from "@budgetkit/adapter-express";
import { runCommandLine } from "@budgetkit/cli";
import { createClient } from "@budgetkit/client";
import { verifyWebhook } from "@budgetkit/client/webhooks";
import { createBudgetService } from "@budgetkit/core";
import { toFetchHandler } from "@budgetkit/core/http";
import { redisLimiter } from "@budgetkit/limiter-redis";
import { referencePage } from "@budgetkit/reference";
import { createGroupCommit } from "@budgetkit/store-kit";
import { postgresStore } from "@budgetkit/store-postgres";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { memoryStore } from "@budgetkit/testing";

import express = require("express");

async function main(): Promise<void> {
  const service = createBudgetService({
    store: sqliteStore(":memory:"),
    secret: "a secret of at least thirty-two characters",
    reference: referencePage(),
  });
  const business = (await service.businesses.create({ name: "Carpentry" }))._unsafeUnwrap();
  const carpenter = { kind: "system", businessId: business.id } as const;
  const key = (await service.keys.create(carpenter, { name: "shop", scopes: ["WRITE_BUDGETS"] }))._unsafeUnwrap();

  const app = express();
  app.use("/v1", budgetkitExpress(service));
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const client = createClient({ baseUrl, apiKey: key.key });
  const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
  const budget = await client.budgets.create({ customerId: "ana", taxRate: 0.21, items });
  const { openapi } = await client.getOpenApi();
  const page = await fetch(`${baseUrl}/docs`);
  server.close();
  server.closeAllConnections();
  await service.stop();

  const imported = [verifyWebhook, toFetchHandler, createGroupCommit, memoryStore, redisLimiter, postgresStore];
  if (typeof runCommandLine !== "function") throw new Error("the command line is no function");
  console.log(
    JSON.stringify({ total: budget.total, openapi, page: page.status, imported: imported.map((each) => typeof each) }),
  );
}

void main();
