import { LRUCache } from "lru-cache";

/** The PDFs that were used last, and those that are being made, by what they show. */
export type RecentPdfs = LRUCache<string, RecentPdf>;

/** Bounded by {@link madeOnce} alone, which drops no PDF that is being made, and those of the largest business first. */
export function createRecentPdfs(): RecentPdfs {
  return new LRUCache({ maxSize: Number.MAX_SAFE_INTEGER, sizeCalculation: () => 1 });
}

interface RecentPdf {
  readonly businessId: string;
  readonly made: Promise<Uint8Array>;
  bytes: number; // 0 = still being made
}

/** What a process keeps: for repeated requests of some hundred links. */
const LIMITS = { pdfs: 500, bytes: 32 * 1024 * 1024 };

/**
 * Makes a PDF, unless the same one was made before: anyone who has a link may ask for its PDF again and again, and each one
 * costs a hundred times the page of the link. A failure is not kept. The bytes are the caller's own.
 */
export async function madeOnce(
  recent: RecentPdfs,
  businessId: string,
  key: string,
  make: () => Promise<Uint8Array>,
  limits = LIMITS,
): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = recent.get(key) ?? { businessId, made: make(), bytes: 0 };
  recent.set(key, pdf);
  try {
    const content = await pdf.made;
    if (pdf.bytes === 0 && recent.peek(key) === pdf) {
      pdf.bytes = content.byteLength;
      trim(recent, limits);
    }
    return Uint8Array.from(content);
  } catch (error) {
    if (recent.peek(key) === pdf) recent.delete(key);
    throw error;
  }
}

/**
 * Drops PDFs beyond the limits: each time the one that was used longest ago of the business that keeps the most bytes. So a
 * business with many PDFs does not displace those of others.
 */
function trim(recent: RecentPdfs, limits: typeof LIMITS): void {
  const bytesBy = new Map<string, number>();
  for (const { businessId, bytes } of recent.values()) bytesBy.set(businessId, (bytesBy.get(businessId) ?? 0) + bytes);
  let total = [...bytesBy.values()].reduce((sum, bytes) => sum + bytes, 0);
  while (total > limits.bytes || recent.size > limits.pdfs) {
    const [largest] = [...bytesBy].sort(([, a], [, b]) => b - a);
    if (largest === undefined) return;
    const [businessId, ofBusiness] = largest;
    const key = [...recent.rkeys()].find((each) => isMadeFor(businessId, recent.peek(each)));
    if (key === undefined) return; // all are still being made
    const bytes = recent.peek(key)?.bytes ?? 0;
    recent.delete(key);
    bytesBy.set(businessId, ofBusiness - bytes);
    total -= bytes;
  }
}

function isMadeFor(businessId: string, pdf: RecentPdf | undefined): boolean {
  return pdf?.businessId === businessId && pdf.bytes > 0;
}
