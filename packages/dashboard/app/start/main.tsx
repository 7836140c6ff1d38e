import "../components/fonts.css";
import "../components/tokens.css";
import "../components/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { ErrorBoundary } from "../components/error-boundary.js";
import { ToastProvider } from "../components/toast.js";
import { isOpenAddress, OpenScreens } from "../session/open-screens.js";
import { SessionGate } from "../session/use-session.js";
import { RequiredFactorGate } from "../shell/required-factor-gate.js";
import { applyTheme } from "../shell/theme.js";
import { WordsProvider } from "../words/use-words.js";
import { queryClient } from "./query-client.js";
import { router } from "./router.js";

const element = document.getElementById("dashboard");
if (element === null) throw new Error("the document has no element for the dashboard");
applyTheme();

createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Suspense fallback={null}>
        <WordsProvider>
          <ErrorBoundary>
            <ToastProvider>
              {isOpenAddress() ? (
                <OpenScreens />
              ) : (
                <SessionGate>
                  <RequiredFactorGate>
                    <RouterProvider router={router} />
                  </RequiredFactorGate>
                </SessionGate>
              )}
            </ToastProvider>
          </ErrorBoundary>
        </WordsProvider>
      </Suspense>
    </QueryClientProvider>
  </StrictMode>,
);
