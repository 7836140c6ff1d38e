export type { Evidence, PublicBudget } from "./schemas.js";
export {
  type EvidenceContent,
  type EvidenceVerification,
  type KeySet,
  type SignedAcceptance,
  verifyEvidence,
} from "./verify-evidence.js";
