import type { BudgetService } from "@budgetkit/core";
import type { Dashboard } from "@budgetkit/dashboard";

export const DASHBOARD_PATH = "/dashboard";

/** The dashboard, which is loaded only where it is wanted. Its page is read with the first request for it. */
export async function loadDashboard(service: BudgetService, publicUrl: string): Promise<Dashboard> {
  const { dashboardHandler } = await import("@budgetkit/dashboard");
  const publicPath = new URL(dashboardUrlOf(publicUrl)).pathname;
  return dashboardHandler({ service, basePath: DASHBOARD_PATH, publicPath });
}

/** Where a browser reaches the dashboard: beside the service, also below the prefix of a proxy. */
export function dashboardUrlOf(publicUrl: string): string {
  return publicUrl.replace(/\/+$/, "").replace(/\/v1$/, "") + DASHBOARD_PATH;
}
