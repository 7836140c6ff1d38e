import type { MailWords } from "./words.js";

export const es: MailWords = {
  greeting: (name) => `Hola, ${name}:`,
  from: (business) => ` de ${business}`,
  aCustomer: "Su cliente",
  card: (id) => `Presupuesto ${id}, total`,
  validUntil: (until) => `Válido hasta el ${until}`,
  toConfirm: "Anticipo para confirmar",
  chosen: "Elección",
  attachment: "Adjunto",
  open: "Ver el presupuesto",
  read: "Leer y responder",
  write: "Escribir al cliente",
  note: "Mensaje",
  changeRequest: "Pedido de cambio",
  endpointAddress: "Endpoint",
  budget: {
    title: "Su presupuesto está listo",
    subject: ({ id, from }) => `Su presupuesto ${id}${from}`,
    intro: ({ id, from }) => `Aquí está su presupuesto ${id}${from}.`,
  },
  reminder: {
    title: "Su presupuesto lo espera",
    subject: ({ id, from, until }) => `Su presupuesto ${id}${from} es válido hasta el ${until}`,
    intro: ({ id, from, until }) => `Su presupuesto ${id}${from} espera su respuesta. Es válido hasta el ${until}.`,
  },
  accepted: {
    title: "Gracias por aceptar",
    subject: ({ id, from }) => `Usted aceptó el presupuesto ${id}${from}`,
    intro: ({ id, from }) => `Registramos su aceptación del presupuesto ${id}${from}. Conserve este correo.`,
  },
  newVersion: {
    title: "Su presupuesto ha cambiado",
    subject: ({ id, from }) => `Nueva versión de su presupuesto ${id}${from}`,
    intro: ({ id, from }) =>
      `Hay una nueva versión de su presupuesto ${id}${from}. Reemplaza a la anterior; léala antes de responder.`,
  },
  message: {
    title: "Tiene un mensaje nuevo",
    subject: ({ id, from }) => `Mensaje nuevo${from} sobre su presupuesto ${id}`,
    intro: ({ id, from }) => `Hay un mensaje nuevo${from} sobre su presupuesto ${id}.`,
  },
  sellerViewed: {
    title: "Abrieron su presupuesto",
    subject: ({ id, customer }) => `${customer} abrió el presupuesto ${id}`,
    intro: ({ id, customer }) => `${customer} abrió el presupuesto ${id} por primera vez.`,
  },
  sellerAccepted: {
    title: "Aceptaron su presupuesto",
    subject: ({ id, customer }) => `${customer} aceptó el presupuesto ${id}`,
    intro: ({ id, customer }) => `${customer} aceptó el presupuesto ${id}.`,
  },
  sellerDeclined: {
    title: "Rechazaron su presupuesto",
    subject: ({ id, customer }) => `${customer} rechazó el presupuesto ${id}`,
    intro: ({ id, customer }) => `${customer} rechazó el presupuesto ${id}.`,
  },
  sellerAsked: {
    title: "Su cliente le escribió",
    subject: ({ id, customer }) => `${customer} escribió sobre el presupuesto ${id}`,
    intro: ({ id, customer }) => `${customer} escribió sobre el presupuesto ${id}.`,
  },
  sellerExpiring: {
    title: "Su presupuesto vence pronto",
    subject: ({ id, until }) => `El presupuesto ${id} es válido hasta el ${until}`,
    intro: ({ id, customer, until }) =>
      `${customer} aún no respondió al presupuesto ${id}. Es válido hasta el ${until}.`,
  },
  endpointDisabled: {
    title: "Se desactivó un endpoint de webhooks",
    subject: () => "Se desactivó un endpoint de webhooks",
    intro: () =>
      "Desactivamos uno de sus endpoints de webhooks porque sus llamadas fallaron. No recibe más eventos hasta que usted lo active de nuevo.",
  },
  unsubscribe: "No recibir más recordatorios",
  unsubscribeTitle: "Recordatorios",
  unsubscribeAbout: (business) => `¿No quiere recibir más recordatorios${business === "" ? "" : ` de ${business}`}?`,
  unsubscribeButton: "No recibir más recordatorios",
  unsubscribed: (business) =>
    `No recibirá más recordatorios${business === "" ? "" : ` de ${business}`}. Los presupuestos que le envíen siguen llegando.`,
  resumeButton: "Volver a recibir recordatorios",
};
