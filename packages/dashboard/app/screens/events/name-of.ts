import type { BusinessEvent } from "@budgetkit/client";

const LONGEST = 80;

/** What an entry is about, for people: the number or name in its data, or else the id. */
export function nameOf({ data, subjectId }: Pick<BusinessEvent, "data" | "subjectId">): string {
  const found = [data.number, data.name].find((value) => typeof value === "string" && value !== "");
  return typeof found === "string" ? found.slice(0, LONGEST) : subjectId;
}
