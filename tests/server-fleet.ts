import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "@budgetkit/core";
import { drawInteger } from "../packages/core/src/testing/seeded-random.js";
import type { RunningProgram } from "./running-program.js";

/** Servers behind a round-robin, each of which is started again when it has ended. */
export interface ServerFleet {
  /** The address of one that serves, in turn; waits while none does. */
  next(): Promise<string>;
  /** Kills any one, be it that it only starts. */
  kill(): void;
  /** What those printed that ended by themselves, and whether they had served until then. */
  readonly ended: readonly { readonly printed: string; readonly hadServed: boolean }[];
  /** Tells all to stop and gives how each ended. */
  stop(): Promise<readonly (number | string)[]>;
}

interface Place {
  program: RunningProgram;
  url: string | null; // null = it does not serve, or not yet
  isKilled: boolean;
}

const RESTARTS_AFTER_MS = 50;

export function startFleet(count: number, start: () => RunningProgram, random: Random): ServerFleet {
  const ended: { printed: string; hadServed: boolean }[] = [];
  const places: Place[] = [];
  let turn = 0;
  let isStopping = false;
  let announce = (): void => {};
  let someServes = new Promise<void>((resolve) => {
    announce = resolve;
  });

  function launch(index: number): void {
    const program = start();
    const place: Place = { program, url: null, isKilled: false };
    places[index] = place;
    program.url.then(
      (url) => {
        if (place.isKilled) return;
        place.url = url;
        announce();
        someServes = new Promise((resolve) => {
          announce = resolve;
        });
      },
      () => {},
    );
    void program.end.then(async () => {
      if (isStopping) return;
      if (!place.isKilled) {
        ended.push({ printed: program.printed(), hadServed: place.url !== null });
        place.url = null;
        await pause(RESTARTS_AFTER_MS);
      }
      launch(index);
    });
  }
  for (let index = 0; index < count; index += 1) launch(index);

  return {
    ended,
    next: async () => {
      for (;;) {
        for (let tried = 0; tried < count; tried += 1) {
          turn += 1;
          const url = places[turn % count]?.url ?? null;
          if (url !== null) return url;
        }
        await someServes;
      }
    },
    kill: () => {
      const living = places.filter(({ isKilled }) => !isKilled);
      const place = living[drawInteger(random, living.length)];
      if (place === undefined) return;
      place.isKilled = true;
      place.url = null;
      place.program.signal("SIGKILL");
    },
    stop: () => {
      isStopping = true;
      for (const { program } of places) program.signal("SIGTERM");
      return Promise.all(places.map(({ program }) => program.end));
    },
  };
}
