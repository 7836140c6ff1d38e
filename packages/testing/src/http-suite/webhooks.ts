import type { HttpCases } from "./cases.js";
import { webhookCapCases } from "./webhook-caps.js";
import { webhookDeliveryCases } from "./webhook-deliveries.js";
import { webhookEndpointCases } from "./webhook-endpoints.js";
import { webhookFilterCases } from "./webhook-filters.js";
import { webhookReplayCases } from "./webhook-replays.js";
import { webhookSecretCases } from "./webhook-secrets.js";
import { webhookTenantCases } from "./webhook-tenants.js";
import { webhookTestCases } from "./webhook-tests.js";

export function webhookCases(cases: HttpCases): void {
  webhookEndpointCases(cases);
  webhookFilterCases(cases);
  webhookReplayCases(cases);
  webhookSecretCases(cases);
  webhookTestCases(cases);
  webhookDeliveryCases(cases);
  webhookCapCases(cases);
  webhookTenantCases(cases);
}
