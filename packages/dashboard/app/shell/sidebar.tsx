import { Link } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { Key } from "../components/key.js";
import { useMay } from "../session/use-session.js";
import { useWords } from "../words/use-words.js";
import { BusinessMark } from "./business-mark.js";
import { modKey } from "./mod-key.js";
import { GROUPS, SECTIONS } from "./navigation.js";
import { SectionCount } from "./section-count.js";
import styles from "./sidebar.module.css";
import { UserMenu } from "./user-menu.js";

interface Props {
  readonly business: { readonly name: string; readonly accentColor: string | null };
  readonly isOpen: boolean;
  readonly isNarrow: boolean;
  readonly onFind: () => void;
  readonly onClose: () => void;
}

export function Sidebar({ business, isOpen, isNarrow, onFind, onClose }: Props) {
  const words = useWords().shell;
  const may = useMay();
  const shown = SECTIONS.filter(({ right }) => right === null || may(right));
  return (
    <>
      {isOpen && <div className={styles.scrim} onClick={onClose} aria-hidden="true" />}
      <nav
        className={`${styles.sidebar} ${isOpen ? styles.open : ""} ${isNarrow ? styles.narrow : ""}`}
        aria-label={words.navigation}
      >
        <Link to="/business" className={styles.business} title={business.name}>
          <BusinessMark name={business.name} color={business.accentColor} />
          <span className={styles.word}>{business.name}</span>
        </Link>
        <button
          type="button"
          className={styles.find}
          onClick={onFind}
          aria-keyshortcuts="Meta+K Control+K"
          title={words.find}
        >
          <Search size={16} aria-hidden="true" />
          <span className={styles.word}>{words.find}</span>
          <Key>{`${modKey}K`}</Key>
        </button>
        {GROUPS.map((group) => {
          const sections = shown.filter((section) => section.group === group);
          if (sections.length === 0) return null;
          return (
            <div key={group} className={styles.group}>
              {group !== "sell" && <h2 className={styles.heading}>{words[group]}</h2>}
              <ul>
                {sections.map(({ name, to, icon: Icon }) => (
                  <li key={name}>
                    <Link
                      to={to}
                      className={styles.item}
                      activeOptions={{ exact: to === "/", includeSearch: false }}
                      title={isNarrow ? words[name] : undefined}
                    >
                      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
                      <span className={styles.word}>{words[name]}</span>
                      {name === "budgets" && <SectionCount />}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          );
        })}
        <UserMenu isNarrow={isNarrow} />
      </nav>
    </>
  );
}
