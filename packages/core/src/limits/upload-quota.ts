import { HOUR_MS, type Instant } from "../kernel/clock.js";
import type { Window } from "./rate-limit-store.js";
import type { UploadCharge, UploadDecision, UploadHold } from "./upload-quota-store.js";

/** Bytes per key or user and hour: four files of the largest size. Source: contract, Limits, File uploads. */
export const UPLOAD_WINDOW: Window = { lengthMs: HOUR_MS, limit: 100 * 1024 * 1024 };

/** Logos per business and hour: each may cost seconds of a core. */
export const LOGO_WINDOW: Window = { lengthMs: HOUR_MS, limit: 30 };

export function uploadSubject(businessId: string, keyId: string): string {
  return `upload:${businessId}:${keyId}`;
}

/** No key has this subject: ids of keys are digits. */
export function userUploadSubject(businessId: string, userId: string): string {
  return `upload:${businessId}:user:${userId}`;
}

export function logoSubject(businessId: string): string {
  return `upload:${businessId}:logo`;
}

/** True while the charge counts. A charge that leaves later than a new one comes from a clock that was ahead. */
export function counts({ leavesAt }: UploadCharge, { lengthMs }: Window, now: Instant): boolean {
  return leavesAt > now && leavesAt <= now + lengthMs;
}

/** The rule of UploadQuotaStore.holdUpload, shared by all stores. `charges` are those of the subject. */
export function decideHold(
  charges: readonly UploadCharge[],
  hold: UploadHold,
  window: Window,
  now: Instant,
): UploadDecision {
  const { id, needed } = hold;
  const others = charges
    .filter((charge) => charge.holdId !== id && counts(charge, window, now))
    .sort((a, b) => a.leavesAt - b.leavesAt);
  const room = window.limit - others.reduce((sum, { bytes }) => sum + bytes, 0);
  const granted = grantHold(hold, room, now);
  if (granted !== null) return granted;
  return { held: null, room: Math.max(0, room), fitsAt: roomAt(others, needed - room, now + window.lengthMs) };
}

/** The decision where `room` bytes are free; null = it is refused. A store that sums by itself needs no charges for it. */
export function grantHold({ needed, wanted }: UploadHold, room: number, now: Instant): UploadDecision | null {
  if (needed > room) return null;
  const held = Math.min(wanted, room);
  return { held, room: room - held, fitsAt: now };
}

/** When `lacking` bytes have left the window; `latest` when the charges do not suffice. */
function roomAt(charges: readonly UploadCharge[], lacking: number, latest: Instant): Instant {
  let left = 0;
  for (const { bytes, leavesAt } of charges) {
    left += bytes;
    if (left >= lacking) return leavesAt;
  }
  return latest;
}
