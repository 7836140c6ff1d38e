import type { MailWords } from "./words.js";

export const he: MailWords = {
  greeting: (name) => `שלום רב ${name},`,
  from: (business) => ` מאת ${business}`,
  aCustomer: "הלקוח",
  card: (id) => `הצעת מחיר ${id}, סך הכול`,
  validUntil: (until) => `בתוקף עד ${until}`,
  toConfirm: "מקדמה לאישור",
  chosen: "הבחירה",
  attachment: "קובץ מצורף",
  open: "לצפייה בהצעת המחיר",
  read: "לקריאה ולמענה",
  write: "לכתיבה ללקוח",
  note: "הודעה",
  changeRequest: "בקשת שינוי",
  endpointAddress: "נקודת קצה",
  budget: {
    title: "הצעת המחיר שלכם מוכנה",
    subject: ({ id, from }) => `הצעת מחיר ${id}${from}`,
    intro: ({ id, from }) => `מצורפת הצעת מחיר ${id}${from}.`,
  },
  reminder: {
    title: "הצעת המחיר ממתינה לתשובתכם",
    subject: ({ id, from, until }) => `הצעת מחיר ${id}${from} בתוקף עד ${until}`,
    intro: ({ id, from, until }) => `הצעת מחיר ${id}${from} ממתינה לתשובתכם. ההצעה בתוקף עד ${until}.`,
  },
  accepted: {
    title: "תודה על אישורכם",
    subject: ({ id, from }) => `אישרתם את הצעת מחיר ${id}${from}`,
    intro: ({ id, from }) => `רשמנו את אישורכם להצעת מחיר ${id}${from}. נא לשמור הודעה זו.`,
  },
  newVersion: {
    title: "הצעת המחיר שלכם עודכנה",
    subject: ({ id, from }) => `גרסה חדשה של הצעת מחיר ${id}${from}`,
    intro: ({ id, from }) =>
      `יש גרסה חדשה של הצעת מחיר ${id}${from}. היא מחליפה את הגרסה הקודמת; נא לקרוא אותה לפני מתן תשובה.`,
  },
  message: {
    title: "יש לכם הודעה חדשה",
    subject: ({ id, from }) => `הודעה חדשה${from} בנוגע להצעת מחיר ${id}`,
    intro: ({ id, from }) => `יש לכם הודעה חדשה${from} בנוגע להצעת מחיר ${id}.`,
  },
  sellerViewed: {
    title: "הצעת המחיר נפתחה",
    subject: ({ id, customer }) => `הצעת מחיר ${id} נפתחה על ידי ${customer}`,
    intro: ({ id, customer }) => `הצעת מחיר ${id} נפתחה לראשונה על ידי ${customer}.`,
  },
  sellerAccepted: {
    title: "הצעת המחיר אושרה",
    subject: ({ id, customer }) => `הצעת מחיר ${id} אושרה על ידי ${customer}`,
    intro: ({ id, customer }) => `הצעת מחיר ${id} אושרה על ידי ${customer}.`,
  },
  sellerDeclined: {
    title: "הצעת המחיר נדחתה",
    subject: ({ id, customer }) => `הצעת מחיר ${id} נדחתה על ידי ${customer}`,
    intro: ({ id, customer }) => `הצעת מחיר ${id} נדחתה על ידי ${customer}.`,
  },
  sellerAsked: {
    title: "התקבלה פנייה מהלקוח",
    subject: ({ id, customer }) => `פנייה מאת ${customer} בנוגע להצעת מחיר ${id}`,
    intro: ({ id, customer }) => `התקבלה פנייה מאת ${customer} בנוגע להצעת מחיר ${id}.`,
  },
  sellerExpiring: {
    title: "תוקף הצעת המחיר עומד לפוג",
    subject: ({ id, until }) => `הצעת מחיר ${id} בתוקף עד ${until}`,
    intro: ({ id, customer, until }) => `טרם התקבלה תשובה מאת ${customer} להצעת מחיר ${id}. ההצעה בתוקף עד ${until}.`,
  },
  endpointDisabled: {
    title: "נקודת קצה של webhook הושבתה",
    subject: () => "נקודת קצה של webhook הושבתה",
    intro: () =>
      "השבתנו אחת מנקודות הקצה של ה-webhook שלכם משום שהקריאות אליה נכשלו. היא לא תקבל אירועים עד שתפעילו אותה מחדש.",
  },
  unsubscribe: "הפסקת התזכורות",
  unsubscribeTitle: "תזכורות",
  unsubscribeAbout: (business) => `האם להפסיק את התזכורות${business === "" ? "" : ` מאת ${business}`}?`,
  unsubscribeButton: "הפסקת התזכורות",
  unsubscribed: (business) =>
    `לא יישלחו אליכם תזכורות נוספות${business === "" ? "" : ` מאת ${business}`}. הצעות מחיר שיישלחו אליכם ימשיכו להגיע.`,
  resumeButton: "חידוש התזכורות",
};
