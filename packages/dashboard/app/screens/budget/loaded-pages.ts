import type { Page } from "@budgetkit/client";

interface Endless<T> {
  readonly data: { readonly pages: readonly Page<T>[] } | undefined;
  readonly hasNextPage: boolean;
}

/** All entries that an endless list has loaded so far. */
export function loadedOf<T>({ data, hasNextPage }: Endless<T>) {
  return { entries: data?.pages.flatMap((page) => page.data) ?? [], hasMore: hasNextPage };
}
