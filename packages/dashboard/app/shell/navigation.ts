import {
  BookOpen,
  Building2,
  ChartNoAxesColumn,
  FileText,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Package,
  Plug,
  ScrollText,
  UserRoundPlus,
  Users,
  Webhook,
} from "lucide-react";
import type { Right } from "../session/rights.js";

type Group = "sell" | "integrate" | "administer";

type Name =
  | "overview"
  | "budgets"
  | "customers"
  | "catalog"
  | "keys"
  | "usage"
  | "webhooks"
  | "integrations"
  | "events"
  | "reference"
  | "business"
  | "people";

export interface Section {
  readonly name: Name; // of its word
  readonly to: `/${string}`;
  readonly icon: LucideIcon;
  readonly group: Group;
  readonly right: Right | null; // null = everybody
}

/** What the sidebar and the command palette lead to. A section whose right is missing is not shown. */
export const SECTIONS = [
  { name: "overview", to: "/", icon: LayoutDashboard, group: "sell", right: null },
  { name: "budgets", to: "/budgets", icon: FileText, group: "sell", right: "READ_BUDGETS" },
  { name: "customers", to: "/customers", icon: Users, group: "sell", right: "READ_CUSTOMERS" },
  { name: "catalog", to: "/catalog", icon: Package, group: "sell", right: "READ_PRODUCTS" },
  { name: "keys", to: "/keys", icon: KeyRound, group: "integrate", right: null },
  { name: "usage", to: "/usage", icon: ChartNoAxesColumn, group: "integrate", right: null },
  { name: "webhooks", to: "/webhooks", icon: Webhook, group: "integrate", right: null },
  { name: "integrations", to: "/integrations", icon: Plug, group: "integrate", right: null },
  { name: "events", to: "/events", icon: ScrollText, group: "integrate", right: null },
  { name: "reference", to: "/reference", icon: BookOpen, group: "integrate", right: null },
  { name: "business", to: "/business", icon: Building2, group: "administer", right: null },
  { name: "people", to: "/people", icon: UserRoundPlus, group: "administer", right: "administer" },
] as const satisfies readonly Section[];

export const GROUPS = ["sell", "integrate", "administer"] as const satisfies readonly Group[];
