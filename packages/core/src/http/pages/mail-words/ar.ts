import type { MailWords } from "./words.js";

export const ar: MailWords = {
  greeting: (name) => `السيد/السيدة ${name}، تحية طيبة وبعد،`,
  from: (business) => ` من ${business}`,
  aCustomer: "العميل",
  card: (id) => `عرض السعر ${id}، الإجمالي`,
  validUntil: (until) => `صالح حتى ${until}`,
  toConfirm: "الدفعة المقدمة للتأكيد",
  chosen: "الاختيار",
  attachment: "المرفق",
  open: "عرض التفاصيل",
  read: "القراءة والرد",
  write: "مراسلة العميل",
  note: "رسالة",
  changeRequest: "طلب تعديل",
  endpointAddress: "نقطة الاستقبال",
  budget: {
    title: "عرض السعر الخاص بكم جاهز",
    subject: ({ id, from }) => `عرض السعر ${id}${from}`,
    intro: ({ id, from }) => `نرسل إليكم عرض السعر ${id}${from}.`,
  },
  reminder: {
    title: "عرض السعر في انتظار ردكم",
    subject: ({ id, from, until }) => `عرض السعر ${id}${from} صالح حتى ${until}`,
    intro: ({ id, from, until }) => `عرض السعر ${id}${from} في انتظار ردكم. وهو صالح حتى ${until}.`,
  },
  accepted: {
    title: "شكرًا لموافقتكم",
    subject: ({ id, from }) => `لقد وافقتم على عرض السعر ${id}${from}`,
    intro: ({ id, from }) => `سجّلنا موافقتكم على عرض السعر ${id}${from}. يرجى الاحتفاظ بهذه الرسالة.`,
  },
  newVersion: {
    title: "تم تعديل عرض السعر",
    subject: ({ id, from }) => `نسخة جديدة من عرض السعر ${id}${from}`,
    intro: ({ id, from }) =>
      `توجد نسخة جديدة من عرض السعر ${id}${from}. وهي تحل محل النسخة السابقة؛ يرجى قراءتها قبل الرد.`,
  },
  message: {
    title: "لديكم رسالة جديدة",
    subject: ({ id, from }) => `رسالة جديدة${from} بشأن عرض السعر ${id}`,
    intro: ({ id, from }) => `لديكم رسالة جديدة${from} بشأن عرض السعر ${id}.`,
  },
  sellerViewed: {
    title: "تم فتح عرض السعر",
    subject: ({ id, customer }) => `فتح ${customer} عرض السعر ${id}`,
    intro: ({ id, customer }) => `فتح ${customer} عرض السعر ${id} لأول مرة.`,
  },
  sellerAccepted: {
    title: "تم قبول عرض السعر",
    subject: ({ id, customer }) => `وافق ${customer} على عرض السعر ${id}`,
    intro: ({ id, customer }) => `وافق ${customer} على عرض السعر ${id}.`,
  },
  sellerDeclined: {
    title: "تم رفض عرض السعر",
    subject: ({ id, customer }) => `رفض ${customer} عرض السعر ${id}`,
    intro: ({ id, customer }) => `رفض ${customer} عرض السعر ${id}.`,
  },
  sellerAsked: {
    title: "كتب إليكم العميل",
    subject: ({ id, customer }) => `كتب ${customer} بشأن عرض السعر ${id}`,
    intro: ({ id, customer }) => `كتب ${customer} بشأن عرض السعر ${id}.`,
  },
  sellerExpiring: {
    title: "تقترب نهاية صلاحية عرض السعر",
    subject: ({ id, until }) => `عرض السعر ${id} صالح حتى ${until}`,
    intro: ({ id, customer, until }) => `لم يرد ${customer} بعد على عرض السعر ${id}. وهو صالح حتى ${until}.`,
  },
  endpointDisabled: {
    title: "تم تعطيل نقطة استقبال للإشعارات (webhook)",
    subject: () => "تم تعطيل نقطة استقبال للإشعارات (webhook)",
    intro: () =>
      "عطّلنا إحدى نقاط استقبال الإشعارات (webhook) لديكم بسبب فشل الاتصال بها. ولن تصلها أي أحداث حتى تعيدوا تفعيلها.",
  },
  unsubscribe: "إيقاف التذكيرات",
  unsubscribeTitle: "التذكيرات",
  unsubscribeAbout: (business) => `هل تريدون إيقاف التذكيرات${business === "" ? "" : ` من ${business}`}؟`,
  unsubscribeButton: "إيقاف التذكيرات",
  unsubscribed: (business) =>
    `لن تصلكم تذكيرات أخرى${business === "" ? "" : ` من ${business}`}. وستظل عروض الأسعار المرسلة إليكم تصلكم.`,
  resumeButton: "استئناف التذكيرات",
};
