import type { MailWords } from "./words.js";

export const fr: MailWords = {
  greeting: (name) => `Bonjour ${name},`,
  from: (business) => ` de ${business}`,
  aCustomer: "Votre client",
  card: (id) => `Devis ${id}, total`,
  validUntil: (until) => `Valable jusqu’au ${until}`,
  toConfirm: "Acompte pour confirmer",
  chosen: "Choix",
  attachment: "Pièce jointe",
  open: "Voir le devis",
  read: "Lire et répondre",
  write: "Écrire au client",
  note: "Message",
  changeRequest: "Demande de modification",
  endpointAddress: "Point de terminaison",
  budget: {
    title: "Votre devis est prêt",
    subject: ({ id, from }) => `Votre devis ${id}${from}`,
    intro: ({ id, from }) => `Voici votre devis ${id}${from}.`,
  },
  reminder: {
    title: "Votre devis vous attend",
    subject: ({ id, from, until }) => `Votre devis ${id}${from} est valable jusqu’au ${until}`,
    intro: ({ id, from, until }) => `Votre devis ${id}${from} attend votre réponse. Il est valable jusqu’au ${until}.`,
  },
  accepted: {
    title: "Merci de votre accord",
    subject: ({ id, from }) => `Vous avez accepté le devis ${id}${from}`,
    intro: ({ id, from }) =>
      `Nous avons enregistré votre acceptation du devis ${id}${from}. Veuillez conserver cet e-mail.`,
  },
  newVersion: {
    title: "Votre devis a changé",
    subject: ({ id, from }) => `Nouvelle version de votre devis ${id}${from}`,
    intro: ({ id, from }) =>
      `Il y a une nouvelle version de votre devis ${id}${from}. Elle remplace la précédente ; veuillez la lire avant de répondre.`,
  },
  message: {
    title: "Vous avez un nouveau message",
    subject: ({ id, from }) => `Nouveau message${from} au sujet de votre devis ${id}`,
    intro: ({ id, from }) => `Vous avez un nouveau message${from} au sujet de votre devis ${id}.`,
  },
  sellerViewed: {
    title: "Votre devis a été ouvert",
    subject: ({ id, customer }) => `${customer} a ouvert le devis ${id}`,
    intro: ({ id, customer }) => `${customer} a ouvert le devis ${id} pour la première fois.`,
  },
  sellerAccepted: {
    title: "Votre devis a été accepté",
    subject: ({ id, customer }) => `${customer} a accepté le devis ${id}`,
    intro: ({ id, customer }) => `${customer} a accepté le devis ${id}.`,
  },
  sellerDeclined: {
    title: "Votre devis a été refusé",
    subject: ({ id, customer }) => `${customer} a refusé le devis ${id}`,
    intro: ({ id, customer }) => `${customer} a refusé le devis ${id}.`,
  },
  sellerAsked: {
    title: "Votre client vous a écrit",
    subject: ({ id, customer }) => `${customer} a écrit au sujet du devis ${id}`,
    intro: ({ id, customer }) => `${customer} a écrit au sujet du devis ${id}.`,
  },
  sellerExpiring: {
    title: "Votre devis expire bientôt",
    subject: ({ id, until }) => `Le devis ${id} est valable jusqu’au ${until}`,
    intro: ({ id, customer, until }) =>
      `${customer} n’a pas encore répondu au devis ${id}. Il est valable jusqu’au ${until}.`,
  },
  endpointDisabled: {
    title: "Un point de terminaison de webhooks a été désactivé",
    subject: () => "Un point de terminaison de webhooks a été désactivé",
    intro: () =>
      "Nous avons désactivé l’un de vos points de terminaison de webhooks, car ses appels ont échoué. Il ne reçoit plus d’événements tant que vous ne le réactivez pas.",
  },
  unsubscribe: "Ne plus recevoir de rappels",
  unsubscribeTitle: "Rappels",
  unsubscribeAbout: (business) =>
    `Souhaitez-vous ne plus recevoir de rappels${business === "" ? "" : ` de ${business}`} ?`,
  unsubscribeButton: "Ne plus recevoir de rappels",
  unsubscribed: (business) =>
    `Vous ne recevrez plus de rappels${business === "" ? "" : ` de ${business}`}. Les devis qui vous sont envoyés arrivent toujours.`,
  resumeButton: "Recevoir de nouveau des rappels",
};
