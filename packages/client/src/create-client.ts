import { type Attachments, createAttachments } from "./attachments.js";
import { type Auth, createAuth } from "./auth.js";
import { type Budgets, createBudgets } from "./budgets.js";
import type { Call, CallOptions } from "./call.js";
import {
  type Customers,
  createCustomers,
  createPackages,
  createProducts,
  type Packages,
  type Products,
} from "./catalog.js";
import {
  createEvents,
  createIntegrations,
  createOwnBusiness,
  createUsage,
  type Events,
  type Integrations,
  type OwnBusiness,
  type Usage,
} from "./developer.js";
import { createKeys, type Keys } from "./keys.js";
import type { Operations } from "./operations.js";
import { createPublicLinks, type PublicLinks } from "./public-links.js";
import { type ClientOptions, createTransport } from "./transport.js";
import { createUsers, type Users } from "./users.js";
import { createWebhooks, type Webhooks } from "./webhook-endpoints.js";

/** All operations of the service, over HTTP. Calls reject with a `BudgetkitError`. */
export interface Client {
  readonly budgets: Budgets;
  readonly attachments: Attachments;
  readonly customers: Customers;
  readonly products: Products;
  readonly packages: Packages;
  readonly publicLinks: PublicLinks;
  readonly auth: Auth;
  readonly keys: Keys;
  readonly webhooks: Webhooks;
  readonly business: OwnBusiness;
  readonly users: Users;
  readonly integrations: Integrations;
  readonly usage: Usage;
  readonly events: Events;
  /** Name and version of the interface. */
  describeApi(options?: CallOptions): Call<Operations["describeApi"]["answer"]>;
  /** The OpenAPI 3.1 document. */
  getOpenApi(options?: CallOptions): Call<Operations["getOpenApi"]["answer"]>;
  /** The public keys that verify evidence. */
  signingKeys(options?: CallOptions): Call<Operations["getSigningKeys"]["answer"]>;
}

const OPTIONS: Readonly<Record<keyof ClientOptions, true>> = {
  baseUrl: true,
  apiKey: true,
  accessToken: true,
  fetch: true,
  retries: true,
  timeoutMs: true,
};

/**
 * Creates a client of one service. It holds no connection and no state, and needs no close. Throws a RangeError for an
 * unknown option.
 */
export function createClient(options: ClientOptions): Client {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown !== undefined) {
    throw new RangeError(`createClient has no option "${unknown}". Options: ${Object.keys(OPTIONS).join(", ")}`);
  }
  const transport = createTransport(options);
  const { send } = transport;
  return {
    budgets: createBudgets(transport),
    attachments: createAttachments(transport),
    customers: createCustomers(transport),
    products: createProducts(transport),
    packages: createPackages(transport),
    publicLinks: createPublicLinks(transport),
    auth: createAuth(transport),
    keys: createKeys(transport),
    webhooks: createWebhooks(transport),
    business: createOwnBusiness(transport),
    users: createUsers(transport),
    integrations: createIntegrations(transport),
    usage: createUsage(transport),
    events: createEvents(transport),
    describeApi: (callOptions) => send("describeApi", {}, callOptions),
    signingKeys: (callOptions) => send("getSigningKeys", {}, callOptions),
    getOpenApi: (callOptions) => send("getOpenApi", {}, callOptions),
  };
}
