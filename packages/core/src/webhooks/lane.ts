/** Work that is done again and again as long as somebody asks for it, never twice at once. */
export interface Lane {
  /** Asks for another step; does nothing unless the lane is open. */
  nudge(): void;
  open(): void;
  /** Takes no more steps; resolves when the one under way has ended. */
  close(): Promise<void>;
}

/** A step that fails is reported; what it was to do waits for the next nudge. */
export function createLane(step: () => Promise<void>, onError: (error: unknown) => void): Lane {
  let isOpen = false;
  let isNudged = false;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (isNudged && isOpen) {
      isNudged = false;
      await step().catch(onError);
    }
    running = null; // in the same turn as the last look at isNudged: no nudge falls between
  }

  return {
    nudge: () => {
      if (!isOpen) return;
      isNudged = true;
      running ??= Promise.resolve().then(run);
    },
    open: () => {
      isOpen = true;
    },
    close: async () => {
      isOpen = false;
      await running;
    },
  };
}
