/** For tests: of business rules on a store in memory at a clock that stands still, and of one's own store or adapter. */
export { anAttachment } from "./attachment-fixtures.js";
export { beginSession } from "./begin-session.js";
export { type BlobSuiteOptions, blobSuite, type MakeBlobStore } from "./blob-suite.js";
export { aCatalogQuery, aCustomer, aPackage, aProduct, aVariant } from "./catalog-fixtures.js";
export {
  aBudget,
  aBudgetQuery,
  aBusiness,
  aClaim,
  anApiKey,
  anAuditEntry,
  anEvent,
  anEventQuery,
  anIdempotencyRecord,
  anItem,
  aSession,
  aUser,
  FIXTURE_BUSINESS,
  FIXTURE_TIME,
} from "./fixtures.js";
export { aFileForm, aForm } from "./http-suite/forms.js";
export {
  type HostRequest,
  type HostResponse,
  overFetch,
  overSocket,
  type RunningHost,
  type Send,
  type StartHost,
} from "./http-suite/host.js";
export { httpSuite } from "./http-suite/index.js";
export { anIntegration } from "./integration-fixtures.js";
export { aMail } from "./mail-fixtures.js";
export { type ManualClock, manualClock } from "./manual-clock.js";
export { memoryBlobStore } from "./memory-blob-store.js";
export { memoryStore } from "./memory-store/index.js";
export { aMessage } from "./message-fixtures.js";
export { isWritten, outcomeOf } from "./outcome.js";
export { aPayment } from "./payment-fixtures.js";
export { plainPdfs } from "./plain-pdfs.js";
export { type ReceivedCall, type Receiver, type Respond, startReceiver } from "./receiver.js";
export { type RoundsByScale, rounds, SCALE } from "./scale.js";
export { drawInteger, drawOne, seededRandom } from "./seeded-random.js";
export { storeSuite } from "./store-suite/index.js";
export {
  type MakeRateLimits,
  type RateLimitSuiteOptions,
  type RateLimitsUnderTest,
  rateLimitSuite,
} from "./store-suite/rate-limit-suite.js";
export type {
  HostTransaction,
  HostUnderTest,
  MakeStore,
  StoreUnderTest,
  SuiteOptions,
  SuiteRunner,
} from "./store-suite/suite.js";
export { aUsageRow } from "./usage-fixtures.js";
export { aDelivery, aDeliveryQuery, anAttempt, anEndpoint, aReplay } from "./webhook-fixtures.js";
