import { useWords } from "../../../words/use-words.js";
import styles from "../business.module.css";
import { AccentField } from "../form/accent-field.js";
import { FormGroup } from "../form/form-group.js";
import { LogoField } from "../form/logo-field.js";
import { NumberPatternField } from "../form/number-pattern-field.js";
import { CurrencyField, LocaleField, ProfileArea, ProfileText, ZoneField } from "../form/profile-fields.js";
import { ReminderDays } from "../form/reminder-days.js";
import type { BusinessForm } from "../form/use-business-form.js";

export function ProfileTab({ form }: { readonly form: BusinessForm }) {
  const words = useWords().business;
  return (
    <>
      <FormGroup title={words.look} note={words.lookNote}>
        <LogoField form={form} />
        <AccentField form={form} />
      </FormGroup>
      <FormGroup title={words.identity} note={words.identityNote}>
        <ProfileText form={form} field="name" />
        <ProfileText form={form} field="legalName" />
        <ProfileText form={form} field="taxId" />
        <ProfileText form={form} field="website" type="url" placeholder="https://" />
        <div className={styles.whole}>
          <ProfileArea form={form} field="address" />
        </div>
        <ProfileText form={form} field="email" type="email" />
        <ProfileText form={form} field="phone" type="tel" />
      </FormGroup>
      <FormGroup title={words.money} note={words.moneyNote}>
        <LocaleField form={form} />
        <CurrencyField form={form} />
        <ZoneField form={form} />
        <NumberPatternField form={form} />
      </FormGroup>
      <FormGroup title={words.reminders} note={words.remindersNote} columns="one">
        <ReminderDays form={form} />
      </FormGroup>
    </>
  );
}
