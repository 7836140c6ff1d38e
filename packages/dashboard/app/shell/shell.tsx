import { useSuspenseQuery } from "@tanstack/react-query";
import { Outlet, useMatches } from "@tanstack/react-router";
import { Menu as MenuIcon } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { IconButton } from "../components/button.js";
import { SkeletonRows } from "../components/skeleton.js";
import { businessQuery } from "../queries/business.js";
import { useWords } from "../words/use-words.js";
import { OfflineNotice } from "./offline-notice.js";
import styles from "./shell.module.css";
import { Sidebar } from "./sidebar.js";
import { useGlobalShortcuts } from "./use-global-shortcuts.js";

const Palette = lazy(() => import("../screens/palette/palette.js").then((screen) => ({ default: screen.Palette })));

/** The frame of every screen: sections at the left, behind a button on phones, and the screen. */
export function Shell() {
  const { data: business } = useSuspenseQuery(businessQuery);
  const words = useWords().shell;
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const matches = useMatches();
  const isNarrow = matches.some(({ staticData }) => staticData.sidebar === "narrow");
  const path = matches.at(-1)?.pathname;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the address closes the menu of phones
  useEffect(() => setMenuOpen(false), [path]);
  useGlobalShortcuts(() => setPaletteOpen(true));
  return (
    <div className={`${styles.shell} ${isNarrow ? styles.narrow : ""}`}>
      <a className={styles.skip} href="#content">
        {words.skip}
      </a>
      <header className={styles.bar}>
        <IconButton
          icon={MenuIcon}
          label={words.menu}
          aria-expanded={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
        />
        <strong>{business.name}</strong>
      </header>
      <Sidebar
        business={business}
        isOpen={isMenuOpen}
        isNarrow={isNarrow}
        onFind={() => setPaletteOpen(true)}
        onClose={() => setMenuOpen(false)}
      />
      <main id="content" className={styles.content} tabIndex={-1}>
        <OfflineNotice />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      {isPaletteOpen && (
        <Suspense fallback={null}>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

function Loading() {
  return (
    <div className={styles.loading}>
      <SkeletonRows />
    </div>
  );
}
