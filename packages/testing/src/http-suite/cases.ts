import type { StartHost } from "./host.js";
import { inWorld, type World, type WorldOptions } from "./world.js";

/** The two functions that the suite needs of a test runner; those of vitest, jest and node:test all fit. */
export interface HttpSuiteRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/** What the files of the suite write their cases with. */
export interface HttpCases {
  describe(name: string, body: () => void): void;
  /** A case in a world of its own. */
  it(name: string, body: (world: World) => Promise<void>, options?: WorldOptions): void;
}

/** The same with options for every case; those of a case itself are added. */
export function withOptions({ describe, it }: HttpCases, options: WorldOptions): HttpCases {
  const merged = (more: WorldOptions) => ({ ...options, ...more, service: { ...options.service, ...more.service } });
  return { describe, it: (name, body, more = {}) => it(name, body, merged(more)) };
}

export function casesOn(runner: HttpSuiteRunner, start: StartHost, defaults: WorldOptions): HttpCases {
  return {
    describe: (name, body) => void runner.describe(name, body),
    it: (name, body, options = {}) => {
      const service = { ...defaults.service, ...options.service };
      runner.it(name, () => inWorld(start, { ...defaults, ...options, service }, body));
    },
  };
}
