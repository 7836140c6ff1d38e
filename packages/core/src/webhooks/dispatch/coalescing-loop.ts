/** Runs steps on request. Runs never overlap, and at most one is queued: all requests before it share it. */
export interface CoalescingLoop {
  /** Requests a step; does nothing while the loop is closed. */
  request(): void;
  open(): void;
  /** Runs no further steps; resolves when the current one has ended. */
  close(): Promise<void>;
}

/** Reports a step that fails; only a further request repeats its work. */
export function createCoalescingLoop(step: () => Promise<void>, onError: (error: unknown) => void): CoalescingLoop {
  let isOpen = false;
  let isRequested = false;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (isRequested && isOpen) {
      isRequested = false;
      await step().catch(onError);
    }
    running = null; // no await since the last check of isRequested, so no request is lost
  }

  return {
    request: () => {
      if (!isOpen) return;
      isRequested = true;
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
