import type { MailWords } from "./words.js";

export const it: MailWords = {
  greeting: (name) => `Buongiorno ${name},`,
  from: (business) => ` da ${business}`,
  aCustomer: "Il cliente",
  card: (id) => `Preventivo ${id}, totale`,
  validUntil: (until) => `Valido fino al ${until}`,
  toConfirm: "Acconto per confermare",
  chosen: "Scelta",
  attachment: "Allegato",
  open: "Vedi il preventivo",
  read: "Leggi e rispondi",
  write: "Scrivi al cliente",
  note: "Messaggio",
  changeRequest: "Richiesta di modifica",
  endpointAddress: "Endpoint",
  budget: {
    title: "Il Suo preventivo è pronto",
    subject: ({ id, from }) => `Il Suo preventivo ${id}${from}`,
    intro: ({ id, from }) => `Ecco il Suo preventivo ${id}${from}.`,
  },
  reminder: {
    title: "Il Suo preventivo La aspetta",
    subject: ({ id, from, until }) => `Il Suo preventivo ${id}${from} è valido fino al ${until}`,
    intro: ({ id, from, until }) =>
      `Il Suo preventivo ${id}${from} attende la Sua risposta. È valido fino al ${until}.`,
  },
  accepted: {
    title: "Grazie per aver accettato",
    subject: ({ id, from }) => `Ha accettato il preventivo ${id}${from}`,
    intro: ({ id, from }) =>
      `Abbiamo registrato la Sua accettazione del preventivo ${id}${from}. La preghiamo di conservare questa e-mail.`,
  },
  newVersion: {
    title: "Il Suo preventivo è cambiato",
    subject: ({ id, from }) => `Nuova versione del Suo preventivo ${id}${from}`,
    intro: ({ id, from }) =>
      `C’è una nuova versione del Suo preventivo ${id}${from}. Sostituisce la precedente; La preghiamo di leggerla prima di rispondere.`,
  },
  message: {
    title: "Ha un nuovo messaggio",
    subject: ({ id, from }) => `Nuovo messaggio${from} sul Suo preventivo ${id}`,
    intro: ({ id, from }) => `C’è un nuovo messaggio${from} sul Suo preventivo ${id}.`,
  },
  sellerViewed: {
    title: "Il Suo preventivo è stato aperto",
    subject: ({ id, customer }) => `${customer} ha aperto il preventivo ${id}`,
    intro: ({ id, customer }) => `${customer} ha aperto il preventivo ${id} per la prima volta.`,
  },
  sellerAccepted: {
    title: "Il Suo preventivo è stato accettato",
    subject: ({ id, customer }) => `${customer} ha accettato il preventivo ${id}`,
    intro: ({ id, customer }) => `${customer} ha accettato il preventivo ${id}.`,
  },
  sellerDeclined: {
    title: "Il Suo preventivo è stato rifiutato",
    subject: ({ id, customer }) => `${customer} ha rifiutato il preventivo ${id}`,
    intro: ({ id, customer }) => `${customer} ha rifiutato il preventivo ${id}.`,
  },
  sellerAsked: {
    title: "Il cliente Le ha scritto",
    subject: ({ id, customer }) => `${customer} ha scritto sul preventivo ${id}`,
    intro: ({ id, customer }) => `${customer} ha scritto sul preventivo ${id}.`,
  },
  sellerExpiring: {
    title: "Il Suo preventivo scade presto",
    subject: ({ id, until }) => `Il preventivo ${id} è valido fino al ${until}`,
    intro: ({ id, customer, until }) =>
      `${customer} non ha ancora risposto al preventivo ${id}. È valido fino al ${until}.`,
  },
  endpointDisabled: {
    title: "Un endpoint di webhook è stato disattivato",
    subject: () => "Un endpoint di webhook è stato disattivato",
    intro: () =>
      "Abbiamo disattivato uno dei Suoi endpoint di webhook perché le chiamate sono fallite. Non riceve più eventi finché non lo riattiva.",
  },
  unsubscribe: "Non ricevere più promemoria",
  unsubscribeTitle: "Promemoria",
  unsubscribeAbout: (business) => `Non desidera più ricevere promemoria${business === "" ? "" : ` da ${business}`}?`,
  unsubscribeButton: "Non ricevere più promemoria",
  unsubscribed: (business) =>
    `Non riceverà più promemoria${business === "" ? "" : ` da ${business}`}. I preventivi che Le vengono inviati continuano ad arrivare.`,
  resumeButton: "Ricevere di nuovo i promemoria",
};
