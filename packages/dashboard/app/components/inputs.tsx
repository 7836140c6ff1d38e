import type {
  ComponentPropsWithRef,
  InputHTMLAttributes,
  ReactNode,
  Ref,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from "react";
import { Field, type FieldProps } from "./field.js";
import styles from "./field.module.css";

type Own<T> = Omit<T, "onChange" | "value" | "id" | "className"> & FieldProps;

interface TextProps extends Own<InputHTMLAttributes<HTMLInputElement>> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/** One line of text; `type` and `inputMode` as of an input. */
export function TextField({ label, hint, error, hideLabel, onChange, ...rest }: TextProps) {
  return (
    <Field {...frameOf({ label, hint, error, hideLabel })}>
      {(control) => (
        <input
          {...rest}
          data-autofocus={rest.autoFocus}
          {...control}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface AreaProps extends Own<TextareaHTMLAttributes<HTMLTextAreaElement>> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

export function TextArea({ label, hint, error, hideLabel, onChange, ...rest }: AreaProps) {
  return (
    <Field {...frameOf({ label, hint, error, hideLabel })}>
      {(control) => <textarea {...rest} {...control} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

interface SelectProps<T extends string> extends Own<SelectHTMLAttributes<HTMLSelectElement>> {
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

export function SelectField<T extends string>(props: SelectProps<T>) {
  const { label, hint, error, hideLabel, options, onChange, ...rest } = props;
  return (
    <Field {...frameOf({ label, hint, error, hideLabel })}>
      {(control) => (
        <select
          {...rest}
          {...control}
          onChange={(event) => {
            const chosen = options[event.target.selectedIndex];
            if (chosen !== undefined) onChange(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps extends Omit<ComponentPropsWithRef<"input">, "onChange" | "type" | "className"> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly onChange: (checked: boolean) => void;
}

export function Checkbox({ label, hint, onChange, ...rest }: CheckProps) {
  return (
    <label className={styles.check}>
      <input type="checkbox" {...rest} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </label>
  );
}

/** For a setting that counts at once. */
export function Switch({ label, hint, onChange, ...rest }: CheckProps) {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={rest.checked ?? false}
        {...rest}
        className={styles.switch}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </label>
  );
}

interface Frame {
  readonly label: string;
  readonly hint: ReactNode;
  readonly error: string | null | undefined;
  readonly hideLabel: boolean | undefined;
}

function frameOf({ label, hint, error, hideLabel = false }: Frame): FieldProps {
  return hint === undefined ? { label, error, hideLabel } : { label, hint, error, hideLabel };
}
