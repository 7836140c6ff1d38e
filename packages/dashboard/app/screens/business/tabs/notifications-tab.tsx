import type { MailSettings } from "@budgetkit/client";
import { Checkbox } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../business.module.css";
import { FormGroup } from "../form/form-group.js";
import { ReminderDays } from "../form/reminder-days.js";
import type { BusinessForm } from "../form/use-business-form.js";

const CUSTOMER = ["accepted", "newVersion", "message"] as const satisfies readonly (keyof MailSettings["customer"])[];
const SELLER = [
  "viewed",
  "accepted",
  "declined",
  "asked",
  "expiring",
  "endpointDisabled",
] as const satisfies readonly (keyof MailSettings["seller"])[];

/** Which acts are notified by mail. */
export function NotificationsTab({ form }: { readonly form: BusinessForm }) {
  const words = useWords().business;
  const { mails } = form.profile;
  return (
    <>
      <FormGroup title={words.toCustomer} note={words.toCustomerNote} columns="one">
        <div className={styles.checks}>
          {CUSTOMER.map((act) => (
            <Checkbox
              key={act}
              label={words.customerMails[act]}
              checked={mails.customer[act]}
              onChange={(isOn) => form.set("mails", { ...mails, customer: { ...mails.customer, [act]: isOn } })}
            />
          ))}
        </div>
      </FormGroup>
      <FormGroup title={words.toSeller} note={words.toSellerNote} columns="one">
        <div className={styles.checks}>
          {SELLER.map((act) => (
            <Checkbox
              key={act}
              label={words.sellerMails[act]}
              checked={mails.seller[act]}
              onChange={(isOn) => form.set("mails", { ...mails, seller: { ...mails.seller, [act]: isOn } })}
            />
          ))}
        </div>
      </FormGroup>
      <FormGroup title={words.reminders} note={words.remindersNote} columns="one">
        <ReminderDays form={form} />
      </FormGroup>
    </>
  );
}
