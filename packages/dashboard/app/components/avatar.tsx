import styles from "./avatar.module.css";

/** The initials of a person. The name stands beside it, or is its tooltip. */
export function Avatar({ name }: { readonly name: string }) {
  const letters = name.split(/\s+/).filter(Boolean);
  const initials = [letters[0], letters.length > 1 ? letters.at(-1) : undefined]
    .map((word) => word?.[0] ?? "")
    .join("");
  return (
    <span className={styles.avatar} aria-hidden="true">
      {initials.toUpperCase()}
    </span>
  );
}
