/** Resolves `reached` with the `from`-th call of `count`. */
export function countdown(from: number): { readonly reached: Promise<void>; count(): void } {
  let left = from;
  let reach = (): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return {
    reached,
    count: () => {
      left -= 1;
      if (left === 0) reach();
    },
  };
}
