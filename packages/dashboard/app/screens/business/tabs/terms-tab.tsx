import { Checkbox } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../business.module.css";
import { FormGroup } from "../form/form-group.js";
import { ProfileArea, ProfileText } from "../form/profile-fields.js";
import type { BusinessForm } from "../form/use-business-form.js";

export function TermsTab({ form }: { readonly form: BusinessForm }) {
  const words = useWords().business;
  const { linkPreview } = form.profile;
  return (
    <>
      <FormGroup title={words.fields.terms} note={words.termsNote} columns="one">
        <ProfileArea form={form} field="terms" />
      </FormGroup>
      <FormGroup title={words.payment} note={words.paymentNote} columns="one">
        <ProfileArea form={form} field="paymentInstructions" />
        <ProfileText form={form} field="paymentUrl" type="url" hint={words.paymentUrlHint} placeholder="https://" />
      </FormGroup>
      <FormGroup title={words.fields.footer} note={words.footerNote} columns="one">
        <ProfileArea form={form} field="footer" />
      </FormGroup>
      <FormGroup title={words.fields.linkPreview} note={words.linkPreviewNote} columns="one">
        <div className={styles.checks}>
          <Checkbox
            label={words.showsName}
            checked={linkPreview.showsName}
            onChange={(showsName) => form.set("linkPreview", { ...linkPreview, showsName })}
          />
          <Checkbox
            label={words.showsTotal}
            checked={linkPreview.showsTotal}
            onChange={(showsTotal) => form.set("linkPreview", { ...linkPreview, showsTotal })}
          />
        </div>
      </FormGroup>
    </>
  );
}
