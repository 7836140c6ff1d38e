import {
  Banknote,
  Bell,
  Eye,
  GitCompareArrows,
  Link2,
  type LucideIcon,
  Mail,
  MessageSquare,
  Paperclip,
  Pencil,
  RotateCcw,
  Send,
  Undo2,
} from "lucide-react";
import type { ShownState } from "../../../components/state-glyph.js";
import { type EventFact, eventFact } from "./event-fact.js";
import type { TimelineContent } from "./timeline.js";

interface Glyph {
  readonly icon: LucideIcon;
  /** Drawn in place of the icon. */
  readonly state: ShownState | null;
  readonly tone: "good" | "bad" | null;
}

const ICONS: Readonly<Partial<Record<EventFact["kind"], LucideIcon>>> = {
  sent: Send,
  withdrawn: Undo2,
  offeredAgain: Send,
  reopened: RotateCcw,
  restored: RotateCcw,
  paid: Banknote,
  changed: GitCompareArrows,
  link: Link2,
  linkRead: Link2,
  remindersStopped: Bell,
  remindersResumed: Bell,
};

const STATES: Readonly<Partial<Record<EventFact["kind"], ShownState>>> = {
  approved: "APPROVED",
  accepted: "DEPOSIT_DUE",
  rejected: "REJECTED",
  expired: "EXPIRED",
  completed: "COMPLETED",
  archived: "ARCHIVED",
  deleted: "DELETED",
};

const GOOD: ReadonlySet<string> = new Set(["approved", "accepted", "completed"]);
const BAD: ReadonlySet<string> = new Set(["rejected"]);

const OTHERS = { message: MessageSquare, payment: Banknote, mail: Mail, file: Paperclip, view: Eye } as const;

export function glyphOf(content: TimelineContent): Glyph {
  if (content.kind !== "event") return { icon: OTHERS[content.kind], state: null, tone: null };
  const { kind } = eventFact(content.event);
  return {
    icon: ICONS[kind] ?? Pencil,
    state: STATES[kind] ?? null,
    tone: GOOD.has(kind) ? "good" : BAD.has(kind) ? "bad" : null,
  };
}
