import {
  Archive,
  Banknote,
  CalendarClock,
  CalendarPlus,
  Check,
  CheckCheck,
  Copy,
  type LucideIcon,
  Pencil,
  RotateCcw,
  Send,
  SendHorizontal,
  Trash2,
  Undo2,
  X,
} from "lucide-react";
import type { ActionName } from "./action-plan.js";

export const ACTION_ICONS: Readonly<Record<ActionName, LucideIcon>> = {
  send: Send,
  edit: Pencil,
  submit: SendHorizontal,
  withdraw: Undo2,
  approve: Check,
  reject: X,
  expire: CalendarClock,
  extend: CalendarPlus,
  revise: RotateCcw,
  renew: CalendarPlus,
  complete: CheckCheck,
  archive: Archive,
  reopen: RotateCcw,
  recordPayment: Banknote,
  duplicate: Copy,
  delete: Trash2,
  restore: RotateCcw,
};

export const ACTION_KEYS: Readonly<Partial<Record<ActionName, string>>> = { recordPayment: "P", edit: "E" };
