import type { PageLanguage } from "./page-language.js";

/** The texts of mails and of the page that ends reminders, in one language. A business without a name is "". */
export interface MailWords {
  readonly subject: (business: string, id: string) => string;
  readonly reminderSubject: (business: string, id: string, until: string) => string;
  readonly greeting: (name: string) => string;
  readonly intro: (business: string, id: string) => string;
  readonly reminder: (business: string, id: string, until: string) => string;
  readonly open: string; // the button
  readonly unsubscribe: string; // the link
  readonly unsubscribeTitle: string;
  readonly unsubscribeAbout: (business: string) => string;
  readonly unsubscribeButton: string;
  readonly unsubscribed: (business: string) => string;
  readonly resumeButton: string;
}

const en: MailWords = {
  subject: (business, id) => (business === "" ? `Your quote ${id}` : `Your quote ${id} from ${business}`),
  reminderSubject: (business, id, until) =>
    business === ""
      ? `Your quote ${id} is valid until ${until}`
      : `${business}: your quote ${id} is valid until ${until}`,
  greeting: (name) => `Hello ${name},`,
  intro: (business, id) =>
    business === "" ? `here is your quote ${id}.` : `here is your quote ${id} from ${business}.`,
  reminder: (business, id, until) =>
    `your quote ${id}${business === "" ? "" : ` from ${business}`} waits for your answer. It is valid until ${until}.`,
  open: "See the quote",
  unsubscribe: "No more reminders",
  unsubscribeTitle: "Reminders",
  unsubscribeAbout: (business) => `Do you want no more reminders${business === "" ? "" : ` of ${business}`}?`,
  unsubscribeButton: "No more reminders",
  unsubscribed: (business) =>
    `You get no more reminders${business === "" ? "" : ` of ${business}`}. Quotes that are sent to you still arrive.`,
  resumeButton: "Get reminders again",
};

const es: MailWords = {
  subject: (business, id) => (business === "" ? `Su presupuesto ${id}` : `Su presupuesto ${id} de ${business}`),
  reminderSubject: (business, id, until) =>
    business === ""
      ? `Su presupuesto ${id} es válido hasta el ${until}`
      : `${business}: su presupuesto ${id} es válido hasta el ${until}`,
  greeting: (name) => `Hola, ${name}:`,
  intro: (business, id) =>
    business === "" ? `aquí está su presupuesto ${id}.` : `aquí está su presupuesto ${id} de ${business}.`,
  reminder: (business, id, until) =>
    `su presupuesto ${id}${business === "" ? "" : ` de ${business}`} espera su respuesta. Es válido hasta el ${until}.`,
  open: "Ver el presupuesto",
  unsubscribe: "No recibir más recordatorios",
  unsubscribeTitle: "Recordatorios",
  unsubscribeAbout: (business) => `¿No quiere recibir más recordatorios${business === "" ? "" : ` de ${business}`}?`,
  unsubscribeButton: "No recibir más recordatorios",
  unsubscribed: (business) =>
    `No recibirá más recordatorios${business === "" ? "" : ` de ${business}`}. Los presupuestos que le envíen siguen llegando.`,
  resumeButton: "Volver a recibir recordatorios",
};

const pt: MailWords = {
  subject: (business, id) => (business === "" ? `Seu orçamento ${id}` : `Seu orçamento ${id} de ${business}`),
  reminderSubject: (business, id, until) =>
    business === ""
      ? `Seu orçamento ${id} é válido até ${until}`
      : `${business}: seu orçamento ${id} é válido até ${until}`,
  greeting: (name) => `Olá, ${name},`,
  intro: (business, id) =>
    business === "" ? `aqui está seu orçamento ${id}.` : `aqui está seu orçamento ${id} de ${business}.`,
  reminder: (business, id, until) =>
    `seu orçamento ${id}${business === "" ? "" : ` de ${business}`} espera sua resposta. É válido até ${until}.`,
  open: "Ver o orçamento",
  unsubscribe: "Não receber mais lembretes",
  unsubscribeTitle: "Lembretes",
  unsubscribeAbout: (business) => `Não quer receber mais lembretes${business === "" ? "" : ` de ${business}`}?`,
  unsubscribeButton: "Não receber mais lembretes",
  unsubscribed: (business) =>
    `Você não receberá mais lembretes${business === "" ? "" : ` de ${business}`}. Os orçamentos enviados a você continuam chegando.`,
  resumeButton: "Voltar a receber lembretes",
};

export const MAIL_WORDS: Readonly<Record<PageLanguage, MailWords>> = {
  en,
  es,
  pt,
  de: en,
  fr: en,
  it: en,
  nl: en,
  ja: en,
  ar: en,
  he: en,
};
