import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { useMay } from "../session/use-session.js";
import { useShortcut } from "./use-shortcut.js";

/** Keys that work on every screen: mod+k finds, n begins a budget. */
export function useGlobalShortcuts(openPalette: () => void): void {
  const navigate = useNavigate();
  const mayWrite = useMay()("WRITE_BUDGETS");
  const begin = useCallback(() => void navigate({ to: "/budgets/new" }), [navigate]);
  useShortcut("mod+k", openPalette);
  useShortcut("n", mayWrite ? begin : null);
}
