import type autocannon from "autocannon";
import { load } from "./load.js";
import type { Side } from "./rounds.js";
import type { ServerProcess } from "./server-process.js";
import type { Settings } from "./settings.js";

export interface Traffic {
  readonly requests: readonly autocannon.Request[];
  readonly expectedStatus: number;
}

/** A side that is a server under load. */
export function serverSide(name: string, server: ServerProcess, traffic: Traffic, { connections }: Settings): Side {
  return {
    name,
    measure: async (seconds) => {
      await server.condition();
      const { answers, ...times } = await load({ url: server.url, ...traffic, connections, seconds });
      const { cpu, loopDelayP99 } = await server.condition();
      return { ...times, server: { cpu: cpu / answers, loopDelay: loopDelayP99 } };
    },
  };
}
