import type { BudgetStatus } from "../../budgets/budget.js";
import type { PageLanguage } from "./page-language.js";

/** The texts of the customer's page in one language. */
export interface PageWords {
  readonly budget: string; // the title, before its id
  readonly status: Readonly<Record<BudgetStatus, string>>;
  readonly awaitsPayment: string; // the status of a budget that is accepted but not paid
  readonly for: string;
  readonly issued: string;
  readonly validUntil: string;
  readonly items: string;
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  readonly amount: string;
  readonly subtotal: string;
  readonly discount: string;
  readonly tax: string;
  readonly total: string;
  readonly paid: string;
  readonly toConfirm: string;
  readonly notes: string;
  readonly terms: string;
  readonly payment: string;
  readonly taxId: string;
  readonly name: string;
  readonly accept: string;
  readonly acceptAbout: string;
  readonly consent: (business: string) => string;
  readonly decline: string;
  readonly declineButton: string;
  readonly reason: string;
  readonly thanks: string;
  readonly accepted: (by: string | null, at: string) => string;
  readonly confirmedOncePaid: (amount: string) => string;
  readonly pageLabel: string; // of a printed page, with {page} and {pages}
  readonly openPdf: string; // the link to the PDF
  readonly changed: string; // above an offer that has changed since it was answered
  readonly evidence: string;
  readonly change: string;
  readonly changeMessage: string;
  readonly changeButton: string;
  readonly changeAsked: (at: string) => string;
  readonly attachments: string;
  readonly signature: string;
  readonly signatureClear: string;
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
