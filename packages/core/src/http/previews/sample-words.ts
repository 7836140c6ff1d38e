import type { PageLanguage } from "../pages/page-language.js";

interface SampleWords {
  readonly customer: string;
  readonly section: string;
  readonly first: string; // by the piece
  readonly second: string; // by the hour
  readonly optional: string;
  readonly notes: string;
}

/** The texts of the budget in which a business sees its own profile. */
export const SAMPLE_WORDS: Readonly<Record<PageLanguage, SampleWords>> = {
  en: {
    customer: "Your customer",
    section: "Your work",
    first: "A line of your quote",
    second: "Work, by the hour",
    optional: "An optional line",
    notes: "Your notes to the customer.",
  },
  es: {
    customer: "Su cliente",
    section: "Su trabajo",
    first: "Una línea de su presupuesto",
    second: "Trabajo, por hora",
    optional: "Una línea opcional",
    notes: "Sus notas para el cliente.",
  },
  pt: {
    customer: "Seu cliente",
    section: "Seu trabalho",
    first: "Uma linha do seu orçamento",
    second: "Trabalho, por hora",
    optional: "Uma linha opcional",
    notes: "Suas notas para o cliente.",
  },
  de: {
    customer: "Ihr Kunde",
    section: "Ihre Arbeit",
    first: "Eine Position Ihres Angebots",
    second: "Arbeit, nach Stunden",
    optional: "Eine optionale Position",
    notes: "Ihre Anmerkungen für den Kunden.",
  },
  fr: {
    customer: "Votre client",
    section: "Votre travail",
    first: "Une ligne de votre devis",
    second: "Travail, à l’heure",
    optional: "Une ligne en option",
    notes: "Vos notes pour le client.",
  },
  it: {
    customer: "Il suo cliente",
    section: "Il suo lavoro",
    first: "Una riga del suo preventivo",
    second: "Lavoro, a ore",
    optional: "Una riga opzionale",
    notes: "Le sue note per il cliente.",
  },
  nl: {
    customer: "Uw klant",
    section: "Uw werk",
    first: "Een regel van uw offerte",
    second: "Werk, per uur",
    optional: "Een optionele regel",
    notes: "Uw opmerkingen voor de klant.",
  },
  ja: {
    customer: "お客様",
    section: "作業内容",
    first: "見積書の明細",
    second: "作業（時間単位）",
    optional: "任意の明細",
    notes: "お客様への備考です。",
  },
  ar: {
    customer: "عميلك",
    section: "عملك",
    first: "بند من عرض السعر",
    second: "عمل بالساعة",
    optional: "بند اختياري",
    notes: "ملاحظاتك إلى العميل.",
  },
  he: {
    customer: "הלקוח שלך",
    section: "העבודה שלך",
    first: "שורה בהצעת המחיר",
    second: "עבודה, לפי שעה",
    optional: "שורה אופציונלית",
    notes: "ההערות שלך ללקוח.",
  },
};
