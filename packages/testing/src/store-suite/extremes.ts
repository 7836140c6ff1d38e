/** Cases of one model: what each is called and the fields that make it one. */
export type Cases<Model> = Readonly<Record<string, Partial<Model>>>;

/** The largest amount, id or rate. */
export const MAX = Number.MAX_SAFE_INTEGER;
/** The first and the last moment that dates may name. */
export const YEAR_2000 = Date.UTC(2000, 0, 1);
export const END_OF_2199 = Date.UTC(2200, 0, 1) - 1;

/** Text that a store may stumble over: quotes, wildcards, markup, wide and combined characters, blanks. */
export const ODD_TEXT = `'"\\%_;--<b>&amp;</b> ñ é e\u0301 日本 🪑👩‍👩‍👧 \u202e \t\r\n {"a":1}`;

/** Metadata of every kind of JSON value, with names that a store may stumble over. */
export const NESTED = {
  'quoted "key"': { "back\\slash": ["ünï", null, true, false, 0, -1, 0.1, 1e21, MAX, -MAX, "", [], {}] },
  "": "an empty key",
  "clé 🪑": { deep: { deeper: { deepest: [[[["x"]]]] } } },
  toString: "not a method",
  "a.b[0]": "a path is no path",
};
