import { ar } from "./mail-words/ar.js";
import { de } from "./mail-words/de.js";
import { en } from "./mail-words/en.js";
import { es } from "./mail-words/es.js";
import { fr } from "./mail-words/fr.js";
import { he } from "./mail-words/he.js";
import { it } from "./mail-words/it.js";
import { ja } from "./mail-words/ja.js";
import { nl } from "./mail-words/nl.js";
import { pt } from "./mail-words/pt.js";
import type { MailWords } from "./mail-words/words.js";
import type { PageLanguage } from "./page-language.js";

export const MAIL_WORDS: Readonly<Record<PageLanguage, MailWords>> = { en, es, pt, de, fr, it, nl, ja, ar, he };
