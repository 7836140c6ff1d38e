import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Check, LogOut, UserRound } from "lucide-react";
import { useState } from "react";
import { Avatar } from "../components/avatar.js";
import { Menu, type MenuAction } from "../components/menu.js";
import { logOut } from "../session/session.js";
import { sessionChanged } from "../session/session-channel.js";
import { useSession } from "../session/use-session.js";
import { mount } from "../start/mount.js";
import { LANGUAGE_NAMES, type Language } from "../words/languages.js";
import { useLanguage } from "../words/use-words.js";
import styles from "./sidebar.module.css";
import { type Density, keepDensity, keepTheme, readDensity, readTheme, type Theme } from "./theme.js";

const LANGUAGES = Object.entries(LANGUAGE_NAMES) as [Language, string][];
const THEMES: readonly Theme[] = ["system", "light", "dark"];
const DENSITIES: readonly Density[] = ["comfortable", "compact"];

/** Who is logged in; behind it language, appearance, the own account and the way out. */
export function UserMenu({ isNarrow }: { readonly isNarrow: boolean }) {
  const { displayName, email, userId, role } = useSession();
  const { language, words, setLanguage } = useLanguage();
  const [theme, setTheme] = useState(readTheme);
  const [density, setDensity] = useState(readDensity);
  const navigate = useNavigate();
  const leave = useMutation({ mutationFn: logOut, onSettled: sessionChanged });
  const name = displayName ?? email ?? userId;

  const choice = (label: string, isChosen: boolean, onSelect: () => void): MenuAction =>
    isChosen ? { label, icon: Check, onSelect } : { label, onSelect };
  const own: MenuAction[] = [
    { label: words.shell.account, icon: UserRound, onSelect: () => void navigate({ to: "/account" }) },
    { label: words.shell.signOut, icon: LogOut, onSelect: () => leave.mutate() },
  ];
  const groups = [
    LANGUAGES.map(([tag, own]) => choice(own, tag === language, () => setLanguage(tag))),
    THEMES.map((each) =>
      choice(words.shell.themes[each], each === theme, () => {
        keepTheme(each);
        setTheme(each);
      }),
    ),
    DENSITIES.map((each) =>
      choice(words.shell.densities[each], each === density, () => {
        keepDensity(each);
        setDensity(each);
      }),
    ),
    mount.session === "form" ? own : [],
  ];
  return (
    <div className={styles.user}>
      <Menu
        groups={groups}
        trigger={
          <button type="button" className={styles.userButton} title={isNarrow ? name : undefined}>
            <Avatar name={name} />
            <span className={`${styles.word} ${styles.userName}`}>{name}</span>
            <span className={`${styles.word} ${styles.role}`}>{words.common.roles[role]}</span>
          </button>
        }
      />
    </div>
  );
}
