import type { BudgetStatus } from "../../budgets/budget.js";
import type { PageLanguage } from "./page-language.js";

/** The texts of the customer's page in one language. */
export interface PageWords {
  /** The title, before the number. */
  readonly budget: string;
  /** The names of statuses. */
  readonly status: Readonly<Record<BudgetStatus, string>>;
  /** The status of a budget that is accepted but not paid. */
  readonly awaitsPayment: string;
  /** Before the customer. */
  readonly for: string;
  /** Before the date of issue. */
  readonly issued: string;
  /** Before the end of the validity. */
  readonly validUntil: string;
  /** Above the table. */
  readonly items: string;
  /** A column. */
  readonly description: string;
  /** A column. */
  readonly quantity: string;
  /** A column. */
  readonly price: string;
  /** A column. */
  readonly amount: string;
  /** A sum. */
  readonly subtotal: string;
  /** A sum, and before the discount of an item. */
  readonly discount: string;
  /** A sum. */
  readonly tax: string;
  /** The amount to pay. */
  readonly total: string;
  /** A sum. */
  readonly paid: string;
  /** The least payment that confirms. */
  readonly toConfirm: string;
  /** Above the notes. */
  readonly notes: string;
  /** Above the terms. */
  readonly terms: string;
  /** Above how to pay. */
  readonly payment: string;
  /** Before the tax id of the business. */
  readonly taxId: string;
  /** The customer's own name in a form. */
  readonly name: string;
  /** The button that accepts. */
  readonly accept: string;
  /** Above the form that accepts. */
  readonly acceptAbout: string;
  /** What the customer agrees to by the button. */
  readonly consent: (business: string) => string;
  /** Opens the form that declines. */
  readonly decline: string;
  /** The button that declines. */
  readonly declineButton: string;
  /** Why the customer declines. */
  readonly reason: string;
  /** After the acceptance. */
  readonly thanks: string;
  /** Who accepted, and when; null = the business, in the place of the customer. */
  readonly accepted: (by: string | null, at: string) => string;
  /** What must be paid after the acceptance. */
  readonly confirmedOncePaid: (amount: string) => string;
  /** Of a printed page, with {page} and {pages}. */
  readonly pageLabel: string;
  /** The link to the PDF. */
  readonly openPdf: string;
  /** Above an offer that has changed since it was answered. */
  readonly changed: string;
  /** The link to the evidence. */
  readonly evidence: string;
  /** Opens the form that asks for a change. */
  readonly change: string;
  /** What should change. */
  readonly changeMessage: string;
  /** The button that asks for a change. */
  readonly changeButton: string;
  /** After the request, with its moment. */
  readonly changeAsked: (at: string) => string;
  /** Above the files. */
  readonly attachments: string;
  /** Above the pad for a drawn signature. */
  readonly signature: string;
  /** The button that empties the pad. */
  readonly signatureClear: string;
  /** Beside a drawing that is longer than the service takes. */
  readonly signatureTooLong: string;
  /** Names the drawn signature. */
  readonly signed: string;
}

/** Some of the texts of a language. */
export type PageTexts = Partial<Omit<PageWords, "status">> & {
  /** The names of statuses. */
  readonly status?: Partial<PageWords["status"]>;
};

const en: PageWords = {
  budget: "Quote",
  status: {
    DRAFT: "In preparation",
    PENDING: "Waiting for your answer",
    APPROVED: "Accepted",
    REJECTED: "Declined",
    EXPIRED: "Expired",
    COMPLETED: "Completed",
    ARCHIVED: "Archived",
    DELETED: "Withdrawn",
  },
  awaitsPayment: "Accepted, waiting for your payment",
  for: "For",
  issued: "Issued",
  validUntil: "Valid until",
  items: "Items",
  description: "Description",
  quantity: "Quantity",
  price: "Price",
  amount: "Amount",
  subtotal: "Subtotal",
  discount: "Discount",
  tax: "Tax",
  total: "Total",
  paid: "Paid so far",
  toConfirm: "To confirm, pay at least",
  notes: "Notes",
  terms: "Terms",
  payment: "How to pay",
  taxId: "Tax number",
  name: "Your name",
  accept: "Accept",
  acceptAbout: "Do you agree?",
  consent: (business) => `With your name you accept this quote of ${business} and its terms.`,
  decline: "Decline this quote",
  declineButton: "Decline",
  reason: "Reason (optional)",
  thanks: "Thank you!",
  accepted: (by, at) => (by === null ? `Accepted on ${at}.` : `Accepted by ${by} on ${at}.`),
  confirmedOncePaid: (amount) => `The quote is confirmed once another ${amount} has been paid.`,
  pageLabel: "Page {page} of {pages}",
  openPdf: "View as PDF",
  changed: "This quote changed while you answered. Nothing was recorded: please read it again before you answer.",
  evidence: "Download the proof of your acceptance",
  change: "Ask for a change",
  changeMessage: "What should change?",
  changeButton: "Send",
  changeAsked: (at) => `You asked for a change on ${at}. The business will send a new version.`,
  attachments: "Attachments",
  signature: "Signature (optional)",
  signatureClear: "Clear",
  signatureTooLong: "This signature is too detailed to be kept whole. Clear it, and sign with fewer strokes.",
  signed: "Signature",
};

const es: PageWords = {
  budget: "Presupuesto",
  status: {
    DRAFT: "En preparación",
    PENDING: "Espera su respuesta",
    APPROVED: "Aceptado",
    REJECTED: "Rechazado",
    EXPIRED: "Vencido",
    COMPLETED: "Completado",
    ARCHIVED: "Archivado",
    DELETED: "Retirado",
  },
  awaitsPayment: "Aceptado, a la espera de su pago",
  for: "Para",
  issued: "Emitido",
  validUntil: "Válido hasta",
  items: "Detalle",
  description: "Descripción",
  quantity: "Cantidad",
  price: "Precio",
  amount: "Importe",
  subtotal: "Subtotal",
  discount: "Descuento",
  tax: "Impuestos",
  total: "Total",
  paid: "Pagado hasta ahora",
  toConfirm: "Para confirmar, pague al menos",
  notes: "Notas",
  terms: "Condiciones",
  payment: "Cómo pagar",
  taxId: "Identificación fiscal",
  name: "Su nombre",
  accept: "Aceptar",
  acceptAbout: "¿Está de acuerdo?",
  consent: (business) => `Con su nombre acepta este presupuesto de ${business} y sus condiciones.`,
  decline: "Rechazar este presupuesto",
  declineButton: "Rechazar",
  reason: "Motivo (opcional)",
  thanks: "¡Gracias!",
  accepted: (by, at) => (by === null ? `Aceptado el ${at}.` : `Aceptado por ${by} el ${at}.`),
  confirmedOncePaid: (amount) => `El presupuesto queda confirmado cuando se paguen otros ${amount}.`,
  pageLabel: "Página {page} de {pages}",
  openPdf: "Ver en PDF",
  changed: "Este presupuesto cambió mientras usted respondía. No se registró nada: vuelva a leerlo antes de responder.",
  evidence: "Descargar la prueba de su aceptación",
  change: "Pedir un cambio",
  changeMessage: "¿Qué debería cambiar?",
  changeButton: "Enviar",
  changeAsked: (at) => `Pidió un cambio el ${at}. La empresa le enviará una nueva versión.`,
  attachments: "Archivos adjuntos",
  signature: "Firma (opcional)",
  signatureClear: "Borrar",
  signatureTooLong: "Esta firma es demasiado detallada para guardarla entera. Bórrela y firme con menos trazos.",
  signed: "Firma",
};

const pt: PageWords = {
  budget: "Orçamento",
  status: {
    DRAFT: "Em preparação",
    PENDING: "Aguarda a sua resposta",
    APPROVED: "Aceito",
    REJECTED: "Recusado",
    EXPIRED: "Vencido",
    COMPLETED: "Concluído",
    ARCHIVED: "Arquivado",
    DELETED: "Retirado",
  },
  awaitsPayment: "Aceito, aguarda o seu pagamento",
  for: "Para",
  issued: "Emitido",
  validUntil: "Válido até",
  items: "Itens",
  description: "Descrição",
  quantity: "Quantidade",
  price: "Preço",
  amount: "Valor",
  subtotal: "Subtotal",
  discount: "Desconto",
  tax: "Impostos",
  total: "Total",
  paid: "Pago até agora",
  toConfirm: "Para confirmar, pague pelo menos",
  notes: "Observações",
  terms: "Condições",
  payment: "Como pagar",
  taxId: "Identificação fiscal",
  name: "Seu nome",
  accept: "Aceitar",
  acceptAbout: "Está de acordo?",
  consent: (business) => `Com o seu nome, você aceita este orçamento de ${business} e as suas condições.`,
  decline: "Recusar este orçamento",
  declineButton: "Recusar",
  reason: "Motivo (opcional)",
  thanks: "Obrigado!",
  accepted: (by, at) => (by === null ? `Aceito em ${at}.` : `Aceito por ${by} em ${at}.`),
  confirmedOncePaid: (amount) => `O orçamento fica confirmado quando forem pagos mais ${amount}.`,
  pageLabel: "Página {page} de {pages}",
  openPdf: "Ver em PDF",
  changed: "Este orçamento mudou enquanto você respondia. Nada foi registrado: leia-o de novo antes de responder.",
  evidence: "Baixar a prova da sua aceitação",
  change: "Pedir uma alteração",
  changeMessage: "O que deve mudar?",
  changeButton: "Enviar",
  changeAsked: (at) => `Você pediu uma alteração em ${at}. A empresa enviará uma nova versão.`,
  attachments: "Anexos",
  signature: "Assinatura (opcional)",
  signatureClear: "Limpar",
  signatureTooLong: "Esta assinatura é detalhada demais para ser guardada inteira. Limpe-a e assine com menos traços.",
  signed: "Assinatura",
};

const PAGE_WORDS: Readonly<Record<PageLanguage, PageWords>> = { en, es, pt };

/** The texts of a language with those that the host has replaced. */
/** Texts that replace those of the page. */
export type TextsByLanguage = Readonly<Partial<Record<PageLanguage, PageTexts>>>;

export function wordsOf(language: PageLanguage, { status, ...own }: PageTexts = {}): PageWords {
  const words = PAGE_WORDS[language];
  return { ...words, ...own, status: { ...words.status, ...status } };
}
