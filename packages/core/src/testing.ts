/** For tests: of business rules on a store in memory at a clock that stands still, and of one's own store or adapter. */
export { aCatalogQuery, aCustomer, aPackage, aProduct, aVariant } from "./testing/catalog-fixtures.js";
export {
  aBudget,
  aBudgetQuery,
  aBusiness,
  aClaim,
  anApiKey,
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
export { type ManualClock, manualClock } from "./testing/manual-clock.js";
export { memoryStore } from "./testing/memory-store/index.js";
export { seededRandom } from "./testing/seeded-random.js";
export { storeSuite } from "./testing/store-suite/index.js";
export type { MakeStore, StoreUnderTest, SuiteOptions, SuiteRunner } from "./testing/store-suite/suite.js";
export { aDelivery, aDeliveryQuery, anAttempt, anEndpoint } from "./testing/webhook-fixtures.js";
