/** There are some thousand combinations of filters; few are in use at a time. */
const MAX_REMEMBERED = 1_024;

/** `make`, which remembers what it made of a text: a statement of its SQL, say. */
export function remembered<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    if (made.size === MAX_REMEMBERED) made.clear();
    const value = make(text);
    made.set(text, value);
    return value;
  };
}
