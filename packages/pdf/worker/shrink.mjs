// @ts-check

/**
 * Red, green, blue and opacity of each pixel, a byte each.
 * @typedef {{ width: number, height: number, data: Uint8Array }} Picture
 */

const CHANNELS = 4;

/**
 * The picture as large as both sides allow; each pixel is the mean of the area that it stands for.
 * @param {Picture} picture
 * @param {number} maxWidth
 * @param {number} maxHeight
 * @returns {Picture}
 */
export function shrink(picture, maxWidth, maxHeight) {
  const scale = Math.min(maxWidth / picture.width, maxHeight / picture.height);
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const data = Buffer.alloc(width * height * CHANNELS);
  const columns = spans(picture.width, width);
  const rows = spans(picture.height, height);
  let at = 0;
  for (const row of rows) {
    for (const column of columns) {
      writeMean(picture, row, column, data, at);
      at += CHANNELS;
    }
  }
  return { width, height, data };
}

/**
 * The parts of a line of `given` pixels that each of `wanted` pixels stands for.
 * @param {number} given
 * @param {number} wanted
 * @returns {(readonly [from: number, to: number])[]}
 */
function spans(given, wanted) {
  const step = given / wanted;
  return Array.from({ length: wanted }, (_, index) => [index * step, Math.min(given, (index + 1) * step)]);
}

/**
 * A color counts by its opacity: what is invisible has no color.
 * @param {Picture} picture
 * @param {readonly [number, number]} row
 * @param {readonly [number, number]} column
 * @param {Uint8Array} target
 * @param {number} at
 */
function writeMean({ width, data }, [top, bottom], [left, right], target, at) {
  let [red, green, blue, opacity, area] = [0, 0, 0, 0, 0];
  for (let y = Math.floor(top); y < bottom; y += 1) {
    const tall = Math.min(y + 1, bottom) - Math.max(y, top);
    for (let x = Math.floor(left); x < right; x += 1) {
      const share = tall * (Math.min(x + 1, right) - Math.max(x, left));
      const from = (y * width + x) * CHANNELS;
      const weight = share * (data[from + 3] ?? 0);
      red += weight * (data[from] ?? 0);
      green += weight * (data[from + 1] ?? 0);
      blue += weight * (data[from + 2] ?? 0);
      opacity += weight;
      area += share;
    }
  }
  if (opacity === 0) return; // invisible
  target[at] = Math.round(red / opacity);
  target[at + 1] = Math.round(green / opacity);
  target[at + 2] = Math.round(blue / opacity);
  target[at + 3] = Math.round(opacity / area);
}

/**
 * The picture upright, by the orientation that a camera noted: beyond 4 the sides are exchanged.
 * @param {Picture} picture
 * @param {number} orientation
 * @returns {Picture}
 */
export function turned(picture, orientation) {
  if (orientation < 2 || orientation > 8) return picture;
  const isTurned = orientation > 4;
  const [width, height] = isTurned ? [picture.height, picture.width] : [picture.width, picture.height];
  const isMirrored = [2, 3, 7, 8].includes(orientation); // along the width of the given picture, else it is as it was
  const isFlipped = [3, 4, 6, 7].includes(orientation); // along its height
  const given = new Uint32Array(picture.data.buffer, picture.data.byteOffset, picture.width * picture.height);
  const pixels = new Uint32Array(given.length);
  let at = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [across, down] = isTurned ? [y, x] : [x, y];
      const column = isMirrored ? picture.width - 1 - across : across;
      const row = isFlipped ? picture.height - 1 - down : down;
      pixels[at] = given[row * picture.width + column] ?? 0;
      at += 1;
    }
  }
  return { width, height, data: new Uint8Array(pixels.buffer) };
}
