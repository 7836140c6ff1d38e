import type { MailWords } from "./words.js";

export const pt: MailWords = {
  greeting: (name) => `Olá, ${name},`,
  from: (business) => ` de ${business}`,
  aCustomer: "Seu cliente",
  card: (id) => `Orçamento ${id}, total`,
  validUntil: (until) => `Válido até ${until}`,
  toConfirm: "Sinal para confirmar",
  chosen: "Escolha",
  attachment: "Anexo",
  open: "Ver o orçamento",
  read: "Ler e responder",
  write: "Escrever ao cliente",
  note: "Mensagem",
  changeRequest: "Pedido de alteração",
  endpointAddress: "Endpoint",
  budget: {
    title: "Seu orçamento está pronto",
    subject: ({ id, from }) => `Seu orçamento ${id}${from}`,
    intro: ({ id, from }) => `Aqui está seu orçamento ${id}${from}.`,
  },
  reminder: {
    title: "Seu orçamento espera por você",
    subject: ({ id, from, until }) => `Seu orçamento ${id}${from} é válido até ${until}`,
    intro: ({ id, from, until }) => `Seu orçamento ${id}${from} espera sua resposta. É válido até ${until}.`,
  },
  accepted: {
    title: "Obrigado por aceitar",
    subject: ({ id, from }) => `Você aceitou o orçamento ${id}${from}`,
    intro: ({ id, from }) => `Registramos sua aceitação do orçamento ${id}${from}. Guarde este e-mail.`,
  },
  newVersion: {
    title: "Seu orçamento mudou",
    subject: ({ id, from }) => `Nova versão do seu orçamento ${id}${from}`,
    intro: ({ id, from }) =>
      `Há uma nova versão do seu orçamento ${id}${from}. Ela substitui a anterior; leia-a antes de responder.`,
  },
  message: {
    title: "Você tem uma nova mensagem",
    subject: ({ id, from }) => `Nova mensagem${from} sobre seu orçamento ${id}`,
    intro: ({ id, from }) => `Há uma nova mensagem${from} sobre seu orçamento ${id}.`,
  },
  sellerViewed: {
    title: "Seu orçamento foi aberto",
    subject: ({ id, customer }) => `${customer} abriu o orçamento ${id}`,
    intro: ({ id, customer }) => `${customer} abriu o orçamento ${id} pela primeira vez.`,
  },
  sellerAccepted: {
    title: "Seu orçamento foi aceito",
    subject: ({ id, customer }) => `${customer} aceitou o orçamento ${id}`,
    intro: ({ id, customer }) => `${customer} aceitou o orçamento ${id}.`,
  },
  sellerDeclined: {
    title: "Seu orçamento foi recusado",
    subject: ({ id, customer }) => `${customer} recusou o orçamento ${id}`,
    intro: ({ id, customer }) => `${customer} recusou o orçamento ${id}.`,
  },
  sellerAsked: {
    title: "Seu cliente escreveu",
    subject: ({ id, customer }) => `${customer} escreveu sobre o orçamento ${id}`,
    intro: ({ id, customer }) => `${customer} escreveu sobre o orçamento ${id}.`,
  },
  sellerExpiring: {
    title: "Seu orçamento vence em breve",
    subject: ({ id, until }) => `O orçamento ${id} é válido até ${until}`,
    intro: ({ id, customer, until }) =>
      `${customer} ainda não respondeu ao orçamento ${id}. Ele é válido até ${until}.`,
  },
  endpointDisabled: {
    title: "Um endpoint de webhooks foi desativado",
    subject: () => "Um endpoint de webhooks foi desativado",
    intro: () =>
      "Desativamos um dos seus endpoints de webhooks porque as chamadas falharam. Ele não recebe mais eventos até que você o ative de novo.",
  },
  unsubscribe: "Não receber mais lembretes",
  unsubscribeTitle: "Lembretes",
  unsubscribeAbout: (business) => `Não quer receber mais lembretes${business === "" ? "" : ` de ${business}`}?`,
  unsubscribeButton: "Não receber mais lembretes",
  unsubscribed: (business) =>
    `Você não receberá mais lembretes${business === "" ? "" : ` de ${business}`}. Os orçamentos enviados a você continuam chegando.`,
  resumeButton: "Voltar a receber lembretes",
};
