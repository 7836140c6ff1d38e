import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { namesQuery } from "../../queries/people.js";
import { useMay, useSession } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import { actorParts } from "./actor.js";

/** The name of who acted, as well as this person may know it. */
export function useActorName(): (label: string) => string {
  const words = useWords().budget.actors;
  const { userId, displayName, email } = useSession();
  const { data: names } = useQuery({ ...namesQuery, enabled: useMay()("administer") });
  return useCallback(
    (label) => {
      const { side, name } = actorParts(label);
      switch (side) {
        case "customer":
          return name;
        case "api":
          return words.key(name);
        case "system":
          return words.system;
        case "team":
          if (name === userId) return displayName ?? email ?? words.user(name);
          return names?.get(name) ?? words.user(name);
      }
    },
    [words, userId, displayName, email, names],
  );
}
