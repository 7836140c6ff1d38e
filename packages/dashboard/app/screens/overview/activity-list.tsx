import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  Archive,
  Banknote,
  CheckCheck,
  CircleCheck,
  CircleX,
  Eye,
  FilePlus,
  GitCompareArrows,
  Hourglass,
  type LucideIcon,
  MessageSquare,
  RotateCcw,
  Send,
  Trash2,
  Undo2,
} from "lucide-react";
import { ErrorPanel } from "../../components/notices.js";
import { Section } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { useFormats } from "../../formats/use-formats.js";
import { useSession } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import { activityQuery } from "./activity-query.js";
import { type Activity, type ActivityKind, partsOf } from "./activity-sentence.js";
import styles from "./overview.module.css";

const SHOWN = 10;

const ICONS: Readonly<Record<ActivityKind, LucideIcon>> = {
  created: FilePlus,
  sent: Send,
  withdrawn: Undo2,
  accepted: CircleCheck,
  approved: CircleCheck,
  declined: CircleX,
  expired: Hourglass,
  deleted: Trash2,
  restored: RotateCcw,
  viewed: Eye,
  asked: MessageSquare,
  wrote: MessageSquare,
  answered: MessageSquare,
  paid: Banknote,
  paidInFull: Banknote,
  completed: CheckCheck,
  archived: Archive,
  reopened: RotateCcw,
  changed: GitCompareArrows,
};

const TONES: Readonly<Partial<Record<ActivityKind, "good" | "bad">>> = {
  accepted: "good",
  approved: "good",
  declined: "bad",
};

/** What happened last, in sentences that lead to the budget. */
export function ActivityList({ nowMs }: { readonly nowMs: number }) {
  const words = useWords();
  const { data, error, refetch } = useQuery(activityQuery);
  return (
    <Section title={words.overview.activity} actions={<Link to="/events">{words.overview.allEvents}</Link>}>
      {data === undefined && error === null && <SkeletonRows rows={6} />}
      {data === undefined && error !== null && (
        <ErrorPanel
          title={words.common.couldNotLoad(words.overview.activity)}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {data?.length === 0 && <p>{words.overview.noActivity}</p>}
      {data !== undefined && data.length > 0 && (
        <ol className={styles.activity}>
          {data.slice(0, SHOWN).map((activity) => (
            <Entry key={activity.id} activity={activity} nowMs={nowMs} />
          ))}
        </ol>
      )}
    </Section>
  );
}

function Entry({ activity, nowMs }: { readonly activity: Activity; readonly nowMs: number }) {
  const words = useWords();
  const formats = useFormats();
  const who = useWho(activity);
  const { kind, budgetId, number, customerName, amount, currency, quote, at } = activity;
  const Icon = ICONS[kind];
  const tone = TONES[kind];
  const money = amount === null || currency === null ? "" : formats.moneyText(amount, currency);
  return (
    <li>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" className={tone === undefined ? "" : styles[tone]} />
      <p>
        {partsOf(words.overview.sentences[kind]).map((part) =>
          part === "{who}" ? (
            <bdi key={part} className={styles.strong}>
              {who}
            </bdi>
          ) : part === "{budget}" ? (
            <Link key={part} to="/budgets/$budgetId" params={{ budgetId }}>
              {number ?? words.overview.aDraft}
            </Link>
          ) : (
            part
          ),
        )}
      </p>
      <time dateTime={at} title={formats.dateTime(at)}>
        {formats.ago(at, nowMs)}
      </time>
      <p className={styles.detail}>
        {quote === null ? (
          <>
            {money}
            {customerName !== "" && customerName !== who && (
              <>
                {" · "}
                <bdi>{customerName}</bdi>
              </>
            )}
          </>
        ) : (
          <>
            “<bdi>{quote}</bdi>”
          </>
        )}
      </p>
    </li>
  );
}

/** The name of who acted: a customer by name, the person as such, others by what they are. */
function useWho({ actor, kind, customerName }: Activity): string {
  const words = useWords().overview;
  const { userId, displayName, email } = useSession();
  if (kind === "viewed") return customerName;
  const [side, ...rest] = actor.split(":");
  const name = rest.join(":");
  if (side === "customer") return name || customerName;
  if (side === "user") return name === userId ? (displayName ?? email ?? words.aUser) : words.aUser;
  if (side === "key") return words.aKey;
  return words.theService;
}
