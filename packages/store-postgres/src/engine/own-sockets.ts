import { Socket } from "node:net";

/** Sockets of connections that the store opens itself, for the option `stream` of `pg`. */
export interface OwnSockets {
  readonly stream: () => Socket;
  /**
   * Waits for `goodbye`, which ends the connections, and cuts those that the server does not end in time: `pg` waits for
   * ever for one whose packets are lost, and the process would not exit.
   */
  endInTime(goodbye: () => Promise<unknown>): Promise<void>;
}

const ENDS_WITHIN_MS = 3_000;

export function ownSockets(): OwnSockets {
  const open = new Set<Socket>();
  return {
    stream: () => {
      const socket = new Socket();
      open.add(socket);
      socket.once("close", () => open.delete(socket));
      return socket;
    },
    endInTime: async (goodbye) => {
      const timer = setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, ENDS_WITHIN_MS);
      try {
        await goodbye();
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
