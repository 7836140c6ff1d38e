import { encode } from "uqr";

/** Longer addresses make squares that no camera reads. */
const MAX_LINK = 300;

/** The QR code of a web address, without its margin; null = not one, or too long. */
export function qrCodeOf(link: string): readonly (readonly boolean[])[] | null {
  if (link.length > MAX_LINK || !/^https?:\/\//i.test(link) || !URL.canParse(link)) return null;
  return encode(link, { ecc: "M", border: 0 }).data;
}
