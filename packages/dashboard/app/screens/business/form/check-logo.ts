export const LOGO_TYPES = ["image/png", "image/jpeg", "image/svg+xml"] as const;

const MAX_BYTES = 512 * 1024;
const MAX_SIDE = 4_096;
const MAX_PIXELS = 4_000_000;

export type LogoFault = "type" | "size" | "pixels" | "damaged";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** What is wrong with a file before it is sent; null = nothing. `measure` reads the pixels of a bitmap. Source: docs/http.md. */
export async function checkLogo(file: Blob, measure: (file: Blob) => Promise<Size>): Promise<LogoFault | null> {
  if (!LOGO_TYPES.some((type) => type === file.type)) return "type";
  if (file.size > MAX_BYTES) return "size";
  if (file.type === "image/svg+xml") return null; // the service draws it again
  try {
    const { width, height } = await measure(file);
    return Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS ? "pixels" : null;
  } catch {
    return "damaged";
  }
}

export async function measureImage(file: Blob): Promise<Size> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  bitmap.close();
  return { width, height };
}
