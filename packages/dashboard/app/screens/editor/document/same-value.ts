/** Whether two values of the document have the same content. They are plain and have their fields in one order. */
export function sameValue(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
