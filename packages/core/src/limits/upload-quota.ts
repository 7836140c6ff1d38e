import { HOUR_MS, type Instant } from "../kernel/clock.js";
import type { Window } from "./rate-limit-store.js";
import type { UploadCharge, UploadDecision, UploadHold } from "./upload-quota-store.js";

/** What a key may upload in any hour: four files of the largest size. Source: contract, Limits, File uploads. */
export const UPLOAD_WINDOW: Window = { lengthMs: HOUR_MS, limit: 100 * 1024 * 1024 };

/** Under which name a key's uploads are counted. */
export function uploadSubject(businessId: string, keyId: string): string {
  return `upload:${businessId}:${keyId}`;
}

/** True when the charge still counts. One that would leave later than a new one is of a clock that was ahead. */
export function counts({ leavesAt }: UploadCharge, { lengthMs }: Window, now: Instant): boolean {
  return leavesAt > now && leavesAt <= now + lengthMs;
}

/** What a hold is answered by what the subject has: the rule that all stores share. See UploadQuotaStore.holdUpload. */
export function decideHold(
  charges: readonly UploadCharge[],
  { id, needed, wanted }: UploadHold,
  window: Window,
  now: Instant,
): UploadDecision {
  const others = charges
    .filter((charge) => charge.holdId !== id && counts(charge, window, now))
    .sort((a, b) => a.leavesAt - b.leavesAt);
  const room = window.limit - others.reduce((sum, { bytes }) => sum + bytes, 0);
  if (needed <= room) {
    const held = Math.min(wanted, room);
    return { held, room: room - held, fitsAt: now };
  }
  return { held: null, room: Math.max(0, room), fitsAt: momentOfRoom(others, needed - room, now + window.lengthMs) };
}

/** When enough has left; at last when everything has. */
function momentOfRoom(charges: readonly UploadCharge[], lacking: number, atLast: Instant): Instant {
  let left = 0;
  for (const { bytes, leavesAt } of charges) {
    left += bytes;
    if (left >= lacking) return leavesAt;
  }
  return atLast;
}
