import { useNavigate } from "@tanstack/react-router";
import { Check, KeyRound, Languages, LogOut, Plus, SunMoon, UserRound, UserRoundPlus, Webhook } from "lucide-react";
import { logOut } from "../../session/session.js";
import { sessionChanged } from "../../session/session-channel.js";
import { useMay } from "../../session/use-session.js";
import { SECTIONS } from "../../shell/navigation.js";
import { keepTheme, readTheme, type Theme } from "../../shell/theme.js";
import { mount } from "../../start/mount.js";
import { LANGUAGE_NAMES, type Language } from "../../words/languages.js";
import { useLanguage } from "../../words/use-words.js";
import type { PaletteItem } from "./palette-item.js";

const THEMES: readonly Theme[] = ["light", "dark", "system"];
const LANGUAGES = Object.entries(LANGUAGE_NAMES) as [Language, string][];

/** All that can be done from everywhere, and the sections; what the person may not do is left out. */
export function useCommands(): {
  readonly sections: readonly PaletteItem[];
  readonly commands: readonly PaletteItem[];
} {
  const navigate = useNavigate();
  const may = useMay();
  const { language, words, setLanguage } = useLanguage();
  const texts = words.palette;
  const present = readTheme();
  const sections = SECTIONS.filter(({ right }) => right === null || may(right)).map(
    ({ name, to, icon }): PaletteItem => ({
      id: `section ${name}`,
      label: words.shell[name],
      icon,
      onSelect: () => void navigate({ to }),
    }),
  );
  const commands: PaletteItem[] = [];
  if (may("WRITE_BUDGETS")) {
    commands.push({
      id: "new budget",
      label: words.shell.newBudget,
      icon: Plus,
      shortcut: "N",
      onSelect: () => void navigate({ to: "/budgets/new" }),
    });
  }
  if (may("administer")) {
    commands.push(
      { id: "invite", label: texts.invite, icon: UserRoundPlus, onSelect: () => void navigate({ to: "/people" }) },
      { id: "new key", label: texts.newKey, icon: KeyRound, onSelect: () => void navigate({ to: "/keys" }) },
      {
        id: "new endpoint",
        label: texts.newEndpoint,
        icon: Webhook,
        onSelect: () => void navigate({ to: "/webhooks" }),
      },
    );
  }
  for (const theme of THEMES) {
    commands.push({
      id: `theme ${theme}`,
      label: texts.theme(words.shell.themes[theme]),
      icon: theme === present ? Check : SunMoon,
      onSelect: () => keepTheme(theme),
    });
  }
  for (const [tag, name] of LANGUAGES) {
    commands.push({
      id: `language ${tag}`,
      label: texts.language(name),
      icon: tag === language ? Check : Languages,
      onSelect: () => setLanguage(tag),
    });
  }
  commands.push({
    id: "account",
    label: words.shell.account,
    icon: UserRound,
    onSelect: () => void navigate({ to: "/account" }),
  });
  if (mount.session === "form") {
    commands.push({
      id: "sign out",
      label: words.shell.signOut,
      icon: LogOut,
      onSelect: () => void logOut().finally(sessionChanged),
    });
  }
  return { sections, commands };
}
