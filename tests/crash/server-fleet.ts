import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "@budgetkit/core";
import { drawInteger } from "@budgetkit/testing";
import { onTestFinished } from "vitest";
import type { RunningProgram } from "../programs/running-program.js";

/** Servers in rotation, each of which is restarted when it has ended. */
export interface ServerFleet {
  /** The URL of the next server that serves. Waits while none does. */
  next(): Promise<string>;
  /** Kills a random server, which may still be starting. */
  kill(): void;
  /** The output of all servers so far, also of those that have ended. */
  printed(): string;
  /** The output of each server that ended unkilled, and whether it had served. */
  readonly ended: readonly { readonly printed: string; readonly hadServed: boolean }[];
  /** Stops all. @returns the exit code of each, or the signal that ended it */
  stop(): Promise<readonly (number | string)[]>;
}

interface Slot {
  program: RunningProgram;
  url: string | null; // null = the program does not serve, or not yet
  isKilled: boolean;
}

const RESTARTS_AFTER_MS = 50;

export function startFleet(count: number, start: () => RunningProgram, random: Random): ServerFleet {
  const ended: { printed: string; hadServed: boolean }[] = [];
  const slots: Slot[] = [];
  const programs: RunningProgram[] = [];
  let turn = 0;
  let isStopping = false;
  let announce = (): void => {};
  let someServes = new Promise<void>((resolve) => {
    announce = resolve;
  });

  function launch(index: number): void {
    const program = start();
    const slot: Slot = { program, url: null, isKilled: false };
    slots[index] = slot;
    programs.push(program);
    program.url.then(
      (url) => {
        if (slot.isKilled) return;
        slot.url = url;
        announce();
        someServes = new Promise((resolve) => {
          announce = resolve;
        });
      },
      () => {},
    );
    onTestFinished(() => {
      isStopping = true;
    });
    void program.end.then(async () => {
      const hadServed = slot.url !== null;
      slot.url = null;
      if (isStopping) return;
      if (!slot.isKilled) {
        ended.push({ printed: program.printed(), hadServed });
        await pause(RESTARTS_AFTER_MS);
      }
      if (!isStopping) launch(index);
    });
  }
  for (let index = 0; index < count; index += 1) launch(index);

  return {
    ended,
    printed: () => programs.map((program) => program.printed()).join(""),
    next: async () => {
      for (;;) {
        for (let tried = 0; tried < count; tried += 1) {
          turn += 1;
          const url = slots[turn % count]?.url ?? null;
          if (url !== null) return url;
        }
        await someServes;
      }
    },
    kill: () => {
      const living = slots.filter(({ isKilled }) => !isKilled);
      const slot = living[drawInteger(random, living.length)];
      if (slot === undefined) return;
      slot.isKilled = true;
      slot.url = null;
      slot.program.signal("SIGKILL");
    },
    stop: () => {
      isStopping = true;
      for (const { program } of slots) program.signal("SIGTERM");
      return Promise.all(slots.map(({ program }) => program.end));
    },
  };
}
