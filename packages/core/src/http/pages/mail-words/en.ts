import type { MailWords } from "./words.js";

export const en: MailWords = {
  greeting: (name) => `Hello ${name},`,
  from: (business) => ` from ${business}`,
  aCustomer: "Your customer",
  card: (id) => `Quote ${id}, total`,
  validUntil: (until) => `Valid until ${until}`,
  toConfirm: "Deposit to confirm",
  chosen: "Chosen",
  attachment: "Attached",
  open: "See the quote",
  read: "Read and answer",
  write: "Write to the customer",
  note: "Message",
  changeRequest: "Change request",
  endpointAddress: "Endpoint",
  budget: {
    title: "Your quote is ready",
    subject: ({ id, from }) => `Your quote ${id}${from}`,
    intro: ({ id, from }) => `Here is your quote ${id}${from}.`,
  },
  reminder: {
    title: "Your quote is waiting for you",
    subject: ({ id, from, until }) => `Your quote ${id}${from} is valid until ${until}`,
    intro: ({ id, from, until }) => `Your quote ${id}${from} is waiting for your answer. It is valid until ${until}.`,
  },
  accepted: {
    title: "Thank you for accepting",
    subject: ({ id, from }) => `You accepted quote ${id}${from}`,
    intro: ({ id, from }) => `We have recorded your acceptance of quote ${id}${from}. Please keep this mail.`,
  },
  newVersion: {
    title: "Your quote has changed",
    subject: ({ id, from }) => `New version of your quote ${id}${from}`,
    intro: ({ id, from }) =>
      `There is a new version of your quote ${id}${from}. It replaces the earlier one; please read it before you answer.`,
  },
  message: {
    title: "You have a new message",
    subject: ({ id, from }) => `New message${from} about your quote ${id}`,
    intro: ({ id, from }) => `There is a new message${from} about your quote ${id}.`,
  },
  sellerViewed: {
    title: "Your quote was opened",
    subject: ({ id, customer }) => `${customer} opened quote ${id}`,
    intro: ({ id, customer }) => `${customer} opened quote ${id} for the first time.`,
  },
  sellerAccepted: {
    title: "Your quote was accepted",
    subject: ({ id, customer }) => `${customer} accepted quote ${id}`,
    intro: ({ id, customer }) => `${customer} accepted quote ${id}.`,
  },
  sellerDeclined: {
    title: "Your quote was declined",
    subject: ({ id, customer }) => `${customer} declined quote ${id}`,
    intro: ({ id, customer }) => `${customer} declined quote ${id}.`,
  },
  sellerAsked: {
    title: "Your customer has written to you",
    subject: ({ id, customer }) => `${customer} wrote about quote ${id}`,
    intro: ({ id, customer }) => `${customer} wrote about quote ${id}.`,
  },
  sellerExpiring: {
    title: "Your quote expires soon",
    subject: ({ id, until }) => `Quote ${id} is valid until ${until}`,
    intro: ({ id, customer, until }) => `${customer} has not answered quote ${id} yet. It is valid until ${until}.`,
  },
  endpointDisabled: {
    title: "A webhook endpoint was disabled",
    subject: () => "A webhook endpoint was disabled",
    intro: () =>
      "We have disabled a webhook endpoint of yours because its calls failed. It receives no more events until you enable it again.",
  },
  unsubscribe: "No more reminders",
  unsubscribeTitle: "Reminders",
  unsubscribeAbout: (business) => `Do you want no more reminders${business === "" ? "" : ` from ${business}`}?`,
  unsubscribeButton: "No more reminders",
  unsubscribed: (business) =>
    `You get no more reminders${business === "" ? "" : ` from ${business}`}. Quotes that are sent to you still arrive.`,
  resumeButton: "Get reminders again",
};
