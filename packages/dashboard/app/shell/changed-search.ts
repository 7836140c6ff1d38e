/** What an address says, with some of it changed. Undefined = left out. */
export function changedSearch<S extends object>(search: S, change: { readonly [K in keyof S]?: S[K] | undefined }): S {
  const next = { ...search };
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) Reflect.deleteProperty(next, name);
    else Reflect.set(next, name, value);
  }
  return next;
}
