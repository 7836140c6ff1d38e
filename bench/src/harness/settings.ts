/** How much is measured. Rounds are short, so that what else the machine does meets all sides alike. */
export interface Settings {
  readonly rounds: number;
  readonly seconds: number; // of load a side and round
  readonly warmupSeconds: number; // of load a side, before the first round
  readonly connections: number;
  readonly budgets: number; // in the database, where a benchmark does not say otherwise
  readonly manyBudgets: number; // in the large one
  readonly keys: number; // that an idle service has seen
  readonly profileFolder: string | null; // where servers leave a CPU profile when they end; null = nowhere
}

export const FULL: Settings = {
  rounds: 12,
  seconds: 1,
  warmupSeconds: 6,
  connections: 50,
  budgets: 10_000,
  manyBudgets: 1_000_000,
  keys: 100_000,
  profileFolder: null,
};

/** For trying the benchmarks themselves; the figures mean nothing. */
export const QUICK: Settings = {
  ...FULL,
  rounds: 1,
  seconds: 0.5,
  warmupSeconds: 0.2,
  budgets: 2_000,
  manyBudgets: 20_000,
  keys: 2_000,
};
