import type { MailWords } from "./words.js";

export const de: MailWords = {
  greeting: (name) => `Guten Tag ${name},`,
  from: (business) => ` von ${business}`,
  aCustomer: "Ihr Kunde",
  card: (id) => `Angebot ${id}, Gesamtbetrag`,
  validUntil: (until) => `Gültig bis ${until}`,
  toConfirm: "Anzahlung zur Bestätigung",
  chosen: "Auswahl",
  attachment: "Anhang",
  open: "Angebot ansehen",
  read: "Lesen und antworten",
  write: "Dem Kunden schreiben",
  note: "Nachricht",
  changeRequest: "Änderungswunsch",
  endpointAddress: "Endpunkt",
  budget: {
    title: "Ihr Angebot ist fertig",
    subject: ({ id, from }) => `Ihr Angebot ${id}${from}`,
    intro: ({ id, from }) => `Hier ist Ihr Angebot ${id}${from}.`,
  },
  reminder: {
    title: "Ihr Angebot wartet auf Sie",
    subject: ({ id, from, until }) => `Ihr Angebot ${id}${from} ist gültig bis ${until}`,
    intro: ({ id, from, until }) => `Ihr Angebot ${id}${from} wartet auf Ihre Antwort. Es ist gültig bis ${until}.`,
  },
  accepted: {
    title: "Vielen Dank für Ihre Zusage",
    subject: ({ id, from }) => `Sie haben das Angebot ${id}${from} angenommen`,
    intro: ({ id, from }) =>
      `Wir haben Ihre Annahme des Angebots ${id}${from} festgehalten. Bitte bewahren Sie diese E-Mail auf.`,
  },
  newVersion: {
    title: "Ihr Angebot hat sich geändert",
    subject: ({ id, from }) => `Neue Fassung Ihres Angebots ${id}${from}`,
    intro: ({ id, from }) =>
      `Es gibt eine neue Fassung Ihres Angebots ${id}${from}. Sie ersetzt die frühere; bitte lesen Sie sie, bevor Sie antworten.`,
  },
  message: {
    title: "Sie haben eine neue Nachricht",
    subject: ({ id, from }) => `Neue Nachricht${from} zu Ihrem Angebot ${id}`,
    intro: ({ id, from }) => `Es gibt eine neue Nachricht${from} zu Ihrem Angebot ${id}.`,
  },
  sellerViewed: {
    title: "Ihr Angebot wurde geöffnet",
    subject: ({ id, customer }) => `${customer} hat das Angebot ${id} geöffnet`,
    intro: ({ id, customer }) => `${customer} hat das Angebot ${id} zum ersten Mal geöffnet.`,
  },
  sellerAccepted: {
    title: "Ihr Angebot wurde angenommen",
    subject: ({ id, customer }) => `${customer} hat das Angebot ${id} angenommen`,
    intro: ({ id, customer }) => `${customer} hat das Angebot ${id} angenommen.`,
  },
  sellerDeclined: {
    title: "Ihr Angebot wurde abgelehnt",
    subject: ({ id, customer }) => `${customer} hat das Angebot ${id} abgelehnt`,
    intro: ({ id, customer }) => `${customer} hat das Angebot ${id} abgelehnt.`,
  },
  sellerAsked: {
    title: "Ihr Kunde hat Ihnen geschrieben",
    subject: ({ id, customer }) => `${customer} hat zum Angebot ${id} geschrieben`,
    intro: ({ id, customer }) => `${customer} hat zum Angebot ${id} geschrieben.`,
  },
  sellerExpiring: {
    title: "Ihr Angebot läuft bald ab",
    subject: ({ id, until }) => `Das Angebot ${id} ist gültig bis ${until}`,
    intro: ({ id, customer, until }) =>
      `${customer} hat auf das Angebot ${id} noch nicht geantwortet. Es ist gültig bis ${until}.`,
  },
  endpointDisabled: {
    title: "Ein Webhook-Endpunkt wurde deaktiviert",
    subject: () => "Ein Webhook-Endpunkt wurde deaktiviert",
    intro: () =>
      "Wir haben einen Ihrer Webhook-Endpunkte deaktiviert, weil seine Aufrufe fehlgeschlagen sind. Er erhält keine Ereignisse mehr, bis Sie ihn wieder aktivieren.",
  },
  unsubscribe: "Keine Erinnerungen mehr",
  unsubscribeTitle: "Erinnerungen",
  unsubscribeAbout: (business) =>
    `Möchten Sie keine Erinnerungen${business === "" ? "" : ` von ${business}`} mehr erhalten?`,
  unsubscribeButton: "Keine Erinnerungen mehr",
  unsubscribed: (business) =>
    `Sie erhalten keine Erinnerungen${business === "" ? "" : ` von ${business}`} mehr. Angebote, die Ihnen gesendet werden, kommen weiterhin an.`,
  resumeButton: "Wieder Erinnerungen erhalten",
};
