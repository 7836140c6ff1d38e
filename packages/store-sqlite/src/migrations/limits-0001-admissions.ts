import type { Migration } from "../engine/migrations.js";

/** The rate limiter's own file: one row for each admission, and one for each subject with admissions. */
export const RATE_LIMITS: Migration = {
  version: 1,
  sql: `
      CREATE TABLE budgetkit_admissions (
        subject TEXT NOT NULL,
        at INTEGER NOT NULL,
        number INTEGER NOT NULL, -- counts the subject's admissions, without gaps
        PRIMARY KEY (subject, at, number)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE budgetkit_subjects (
        subject TEXT PRIMARY KEY,
        longest_ms INTEGER NOT NULL,
        asked_at INTEGER NOT NULL, -- at the first admission and at refusals; of the others the log itself tells
        idle_at INTEGER NOT NULL -- not idle before; admissions do not move it, the pruner does
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX budgetkit_subjects_by_idleness ON budgetkit_subjects (idle_at);
    `,
};
