import type { MailWords } from "./words.js";

export const ja: MailWords = {
  greeting: (name) => `${name} 様`,
  from: (business) => `${business}からの`,
  aCustomer: "お客様",
  card: (id) => `お見積書 ${id}　合計`,
  validUntil: (until) => `有効期限：${until}`,
  toConfirm: "確定に必要な前払金",
  chosen: "選択内容",
  attachment: "添付ファイル",
  open: "お見積書を見る",
  read: "読んで返信する",
  write: "お客様に連絡する",
  note: "メッセージ",
  changeRequest: "変更のご依頼",
  endpointAddress: "エンドポイント",
  budget: {
    title: "お見積書をお送りいたします",
    subject: ({ id, from }) => `${from}お見積書 ${id}`,
    intro: ({ id, from }) => `${from}お見積書 ${id} をお送りいたします。`,
  },
  reminder: {
    title: "お見積書へのご返答をお待ちしております",
    subject: ({ id, from, until }) => `${from}お見積書 ${id}（有効期限：${until}）`,
    intro: ({ id, from, until }) => `${from}お見積書 ${id} へのご返答をお待ちしております。有効期限は${until}です。`,
  },
  accepted: {
    title: "ご承諾ありがとうございます",
    subject: ({ id, from }) => `${from}お見積書 ${id} をご承諾いただきました`,
    intro: ({ id, from }) => `${from}お見積書 ${id} のご承諾を記録いたしました。このメールは大切に保管してください。`,
  },
  newVersion: {
    title: "お見積書が変更されました",
    subject: ({ id, from }) => `${from}お見積書 ${id} の改訂版`,
    intro: ({ id, from }) =>
      `${from}お見積書 ${id} の改訂版がございます。以前の版に代わるものですので、ご返答の前にご確認ください。`,
  },
  message: {
    title: "新しいメッセージがございます",
    subject: ({ id, from }) => `お見積書 ${id} に関する${from}新しいメッセージ`,
    intro: ({ id, from }) => `お見積書 ${id} に関する${from}新しいメッセージがございます。`,
  },
  sellerViewed: {
    title: "お見積書が開かれました",
    subject: ({ id, customer }) => `${customer}がお見積書 ${id} を開きました`,
    intro: ({ id, customer }) => `${customer}がお見積書 ${id} を初めて開きました。`,
  },
  sellerAccepted: {
    title: "お見積書が承諾されました",
    subject: ({ id, customer }) => `${customer}がお見積書 ${id} を承諾しました`,
    intro: ({ id, customer }) => `${customer}がお見積書 ${id} を承諾しました。`,
  },
  sellerDeclined: {
    title: "お見積書が辞退されました",
    subject: ({ id, customer }) => `${customer}がお見積書 ${id} を辞退しました`,
    intro: ({ id, customer }) => `${customer}がお見積書 ${id} を辞退しました。`,
  },
  sellerAsked: {
    title: "お客様からご連絡がありました",
    subject: ({ id, customer }) => `${customer}からお見積書 ${id} についてご連絡がありました`,
    intro: ({ id, customer }) => `${customer}からお見積書 ${id} についてご連絡がありました。`,
  },
  sellerExpiring: {
    title: "お見積書の有効期限が近づいています",
    subject: ({ id, until }) => `お見積書 ${id} の有効期限は${until}です`,
    intro: ({ id, customer, until }) => `${customer}はお見積書 ${id} にまだ返答していません。有効期限は${until}です。`,
  },
  endpointDisabled: {
    title: "Webhook のエンドポイントを無効にしました",
    subject: () => "Webhook のエンドポイントを無効にしました",
    intro: () =>
      "呼び出しの失敗が続いたため、Webhook のエンドポイントを無効にしました。再び有効にされるまで、イベントは送信されません。",
  },
  unsubscribe: "今後リマインダーを受け取らない",
  unsubscribeTitle: "リマインダー",
  unsubscribeAbout: (business) => `今後${business === "" ? "" : `${business}からの`}リマインダーを停止しますか。`,
  unsubscribeButton: "今後リマインダーを受け取らない",
  unsubscribed: (business) =>
    `今後${business === "" ? "" : `${business}からの`}リマインダーは届きません。お客様宛てのお見積書は引き続き届きます。`,
  resumeButton: "リマインダーを再び受け取る",
};
