/** The fast path. */
const ASCII = /^[\0-\x7f]*$/;

const DOT_ABOVE = "\u0307";
const MARKED_I = /i\p{M}+/gu;

/**
 * The form of a text in which a search is a plain substring match, with the same result in every store: full case folding
 * and NFKC. So ß is ss, a final sigma is a sigma, and a letter is the same composed and decomposed. The Turkish İ and ı are
 * i too, because their words are also typed on other keyboards.
 *
 * A folded text folds to itself, and a text in lower case to what its original does. Stores keep folded texts: a change
 * needs a migration. Source: The Unicode Standard, sections 3.11 and 3.13.
 */
export function foldForSearch(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : foldCase(text.normalize("NFKC")).normalize("NFKC");
}

/** By way of the capital letters, which have the full forms: ẞ, ß, SS, ss. */
function foldCase(text: string): string {
  const folded = text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
  if (!folded.includes(DOT_ABOVE)) return folded;
  return folded.normalize("NFD").replace(MARKED_I, (letter) => letter.replaceAll(DOT_ABOVE, ""));
}
