/** A limit of how many rows there may be, as the functions take it; null = none. */
export function limitArgument(limit = Number.POSITIVE_INFINITY): number | null {
  return Number.isFinite(limit) ? limit : null;
}
