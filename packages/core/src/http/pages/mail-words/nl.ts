import type { MailWords } from "./words.js";

export const nl: MailWords = {
  greeting: (name) => `Beste ${name},`,
  from: (business) => ` van ${business}`,
  aCustomer: "Uw klant",
  card: (id) => `Offerte ${id}, totaal`,
  validUntil: (until) => `Geldig tot en met ${until}`,
  toConfirm: "Aanbetaling om te bevestigen",
  chosen: "Keuze",
  attachment: "Bijlage",
  open: "Offerte bekijken",
  read: "Lezen en beantwoorden",
  write: "De klant schrijven",
  note: "Bericht",
  changeRequest: "Wijzigingsverzoek",
  endpointAddress: "Endpoint",
  budget: {
    title: "Uw offerte is klaar",
    subject: ({ id, from }) => `Uw offerte ${id}${from}`,
    intro: ({ id, from }) => `Hierbij ontvangt u uw offerte ${id}${from}.`,
  },
  reminder: {
    title: "Uw offerte wacht op u",
    subject: ({ id, from, until }) => `Uw offerte ${id}${from} is geldig tot en met ${until}`,
    intro: ({ id, from, until }) => `Uw offerte ${id}${from} wacht op uw antwoord. Ze is geldig tot en met ${until}.`,
  },
  accepted: {
    title: "Dank u voor uw akkoord",
    subject: ({ id, from }) => `U hebt offerte ${id}${from} geaccepteerd`,
    intro: ({ id, from }) => `Wij hebben uw akkoord op offerte ${id}${from} vastgelegd. Bewaar deze e-mail.`,
  },
  newVersion: {
    title: "Uw offerte is gewijzigd",
    subject: ({ id, from }) => `Nieuwe versie van uw offerte ${id}${from}`,
    intro: ({ id, from }) =>
      `Er is een nieuwe versie van uw offerte ${id}${from}. Ze vervangt de vorige; lees haar voordat u antwoordt.`,
  },
  message: {
    title: "U hebt een nieuw bericht",
    subject: ({ id, from }) => `Nieuw bericht${from} over uw offerte ${id}`,
    intro: ({ id, from }) => `Er is een nieuw bericht${from} over uw offerte ${id}.`,
  },
  sellerViewed: {
    title: "Uw offerte is geopend",
    subject: ({ id, customer }) => `${customer} heeft offerte ${id} geopend`,
    intro: ({ id, customer }) => `${customer} heeft offerte ${id} voor het eerst geopend.`,
  },
  sellerAccepted: {
    title: "Uw offerte is geaccepteerd",
    subject: ({ id, customer }) => `${customer} heeft offerte ${id} geaccepteerd`,
    intro: ({ id, customer }) => `${customer} heeft offerte ${id} geaccepteerd.`,
  },
  sellerDeclined: {
    title: "Uw offerte is afgewezen",
    subject: ({ id, customer }) => `${customer} heeft offerte ${id} afgewezen`,
    intro: ({ id, customer }) => `${customer} heeft offerte ${id} afgewezen.`,
  },
  sellerAsked: {
    title: "Uw klant heeft u geschreven",
    subject: ({ id, customer }) => `${customer} heeft geschreven over offerte ${id}`,
    intro: ({ id, customer }) => `${customer} heeft geschreven over offerte ${id}.`,
  },
  sellerExpiring: {
    title: "Uw offerte verloopt binnenkort",
    subject: ({ id, until }) => `Offerte ${id} is geldig tot en met ${until}`,
    intro: ({ id, customer, until }) =>
      `${customer} heeft offerte ${id} nog niet beantwoord. Ze is geldig tot en met ${until}.`,
  },
  endpointDisabled: {
    title: "Een webhook-endpoint is uitgeschakeld",
    subject: () => "Een webhook-endpoint is uitgeschakeld",
    intro: () =>
      "Wij hebben een van uw webhook-endpoints uitgeschakeld omdat de aanroepen mislukten. Het ontvangt geen gebeurtenissen meer totdat u het weer inschakelt.",
  },
  unsubscribe: "Geen herinneringen meer",
  unsubscribeTitle: "Herinneringen",
  unsubscribeAbout: (business) =>
    `Wilt u geen herinneringen${business === "" ? "" : ` van ${business}`} meer ontvangen?`,
  unsubscribeButton: "Geen herinneringen meer",
  unsubscribed: (business) =>
    `U ontvangt geen herinneringen${business === "" ? "" : ` van ${business}`} meer. Offertes die u worden gestuurd, komen nog steeds aan.`,
  resumeButton: "Weer herinneringen ontvangen",
};
