/** For tests: of business rules on a store in memory at a clock that stands still, and of one's own store or adapter. */
export { anAttachment } from "./testing/attachment-fixtures.js";
export { type BlobSuiteOptions, blobSuite, type MakeBlobStore } from "./testing/blob-suite.js";
export { aCatalogQuery, aCustomer, aPackage, aProduct, aVariant } from "./testing/catalog-fixtures.js";
export {
  aBudget,
  aBudgetQuery,
  aBusiness,
  aClaim,
  anApiKey,
  anAuditEntry,
  anEvent,
  anEventQuery,
  anItem,
  aReceipt,
  aSession,
  aUser,
  FIXTURE_BUSINESS,
  FIXTURE_TIME,
} from "./testing/fixtures.js";
export {
  type HostRequest,
  type HostResponse,
  overFetch,
  overSocket,
  type RunningHost,
  type Send,
  type StartHost,
} from "./testing/http-suite/host.js";
export { httpSuite } from "./testing/http-suite/index.js";
export { anIntegration } from "./testing/integration-fixtures.js";
export { type ManualClock, manualClock } from "./testing/manual-clock.js";
export { memoryBlobStore } from "./testing/memory-blob-store.js";
export { memoryStore } from "./testing/memory-store/index.js";
export { aPayment } from "./testing/payment-fixtures.js";
export { seededRandom } from "./testing/seeded-random.js";
export { storeSuite } from "./testing/store-suite/index.js";
export {
  type MakeRateLimits,
  type RateLimitSuiteOptions,
  type RateLimitsUnderTest,
  rateLimitSuite,
} from "./testing/store-suite/rate-limit-suite.js";
export type {
  HostTransaction,
  HostUnderTest,
  MakeStore,
  StoreUnderTest,
  SuiteOptions,
  SuiteRunner,
} from "./testing/store-suite/suite.js";
export { aUsageRow } from "./testing/usage-fixtures.js";
export { aDelivery, aDeliveryQuery, anAttempt, anEndpoint } from "./testing/webhook-fixtures.js";
