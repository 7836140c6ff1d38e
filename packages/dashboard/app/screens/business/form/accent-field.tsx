import "../../../components/mono.css";
import { TextField } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../business.module.css";
import { colorOnPage, contrastOf, isColor, isReadable } from "./contrast.js";
import type { BusinessForm } from "./use-business-form.js";

const WHITE = "#ffffff";

/** The color of the business with its contrast on white, and what the page makes of it. */
export function AccentField({ form }: { readonly form: BusinessForm }) {
  const words = useWords().business;
  const color = form.profile.accentColor;
  const isShown = isColor(color);
  const contrast = isShown ? contrastOf(color, WHITE) : null;
  return (
    <>
      <div className={styles.accent}>
        <TextField
          label={words.fields.accentColor}
          type="text"
          spellCheck={false}
          maxLength={7}
          placeholder="#1f4e79"
          value={color}
          onChange={(value) => form.set("accentColor", value)}
          error={form.errorOf("accentColor") ?? (color === "" || isShown ? null : words.notAColor)}
        />
        <input
          type="color"
          className={styles.swatch}
          aria-label={words.pickColor}
          value={isShown ? color.toLowerCase() : "#1f4e79"}
          onChange={(event) => form.set("accentColor", event.target.value)}
        />
        {contrast !== null && (
          <span className={`${styles.ratio} ${isReadable(contrast) ? styles.good : styles.warn}`}>
            {contrast.toFixed(1)} : 1
          </span>
        )}
      </div>
      {isShown && <p className={`${styles.note} ${styles.whole}`}>{words.accentUse(usedOf(color))}</p>}
    </>
  );
}

/** What each appearance uses; null = the color as it is. */
function usedOf(color: string): { light: string | null; dark: string | null } {
  const own = color.toLowerCase();
  const [light, dark] = [colorOnPage(own, "light"), colorOnPage(own, "dark")];
  return { light: light === own ? null : light, dark: dark === own ? null : dark };
}
