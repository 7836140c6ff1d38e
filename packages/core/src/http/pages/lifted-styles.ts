const STYLED_TAG = /<[a-z][^<>]*\sstyle="([^"]*)"[^<>]*>/g;
const SHEET = /<style>([^<]*)<\/style>/;

/**
 * A document whose elements have classes in place of style attributes, which a strict policy of a page blocks. The rules
 * are in its one style sheet, before those that override them. In texts and attributes, quotes and angle brackets are
 * escaped: nothing in them looks like an attribute.
 */
export function withLiftedStyles(
  markup: string,
  change: (sheet: string) => string,
): { readonly markup: string; readonly sheet: string } {
  const classes = new Map<string, string>();
  const classed = markup.replace(STYLED_TAG, (tag, style: string) => {
    const name = classes.get(style) ?? `s${classes.size}`;
    classes.set(style, name);
    const bare = tag.replace(` style="${style}"`, "");
    return bare.includes(' class="')
      ? bare.replace(' class="', ` class="${name} `)
      : bare.replace(/^<[a-z0-9]+/, (start) => `${start} class="${name}"`);
  });
  const rules = [...classes].map(([style, name]) => `.${name}{${style}}\n`).join("");
  const sheet = change(rules + (SHEET.exec(classed)?.[1] ?? ""));
  return { markup: classed.replace(SHEET, () => `<style>${sheet}</style>`), sheet };
}
