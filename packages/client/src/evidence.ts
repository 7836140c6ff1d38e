export type { Evidence, LedgerCheckpoint, PublicBudget } from "./schemas.js";
export { type CheckpointVerification, type SignedCheckpoint, verifyCheckpoint } from "./verify-checkpoint.js";
export {
  type EvidenceContent,
  type EvidenceVerification,
  type KeySet,
  type SignedAcceptance,
  type VerificationOptions,
  verifyEvidence,
} from "./verify-evidence.js";
