import { useQuery } from "@tanstack/react-query";
import { useDebounced } from "../../../components/use-debounced.js";
import { useMay } from "../../../session/use-session.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { beginningOf, type Month, nextNumber } from "./number-example.js";
import { ProfileText } from "./profile-fields.js";
import type { BusinessForm } from "./use-business-form.js";

const TYPING_MS = 350;
const LOOKED_AT = 100;

/** The pattern with the number that the next sent budget gets. */
export function NumberPatternField({ form }: { readonly form: BusinessForm }) {
  const words = useWords().business;
  const next = useNextNumber(form);
  const { numberPattern } = form.profile;
  const hint = numberPattern === "" ? words.noNumbers : next === null ? words.patternHint : words.nextNumber(next);
  return <ProfileText form={form} field="numberPattern" hint={hint} placeholder="P-{year}-{seq:4}" />;
}

/** Found among the budgets whose numbers begin alike; null = the pattern makes no number. */
function useNextNumber({ profile: { numberPattern, timeZone } }: BusinessForm): string | null {
  const mayRead = useMay()("READ_BUDGETS");
  const month = monthIn(timeZone);
  const beginning = useDebounced(beginningOf(numberPattern, month), TYPING_MS);
  const { data: used } = useQuery({
    queryKey: ["budgets", "numbers", beginning],
    enabled: mayRead && numberPattern !== "",
    queryFn: async ({ signal }) => {
      const search = beginning === "" ? {} : { search: beginning };
      const { data } = await api.budgets.list({ ...search, limit: LOOKED_AT }, { signal });
      return data.flatMap(({ number }) => number ?? []);
    },
  });
  return nextNumber(numberPattern, month, used ?? []);
}

function monthIn(timeZone: string): Month {
  const parts = new Intl.DateTimeFormat("en", { timeZone, year: "numeric", month: "numeric" }).formatToParts(
    Date.now(),
  );
  const partOf = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return { year: partOf("year"), month: partOf("month") };
}
