import type { Migration } from "../engine/migrations.js";

/**
 * One row for the admissions that a subject was granted in one transaction, instead of one row for each. Subjects have
 * ids that are never used again, so that a process recognizes a subject that was forgotten meanwhile.
 */
export const RUNS: Migration = {
  version: 2,
  sql: `
    ALTER TABLE budgetkit_subjects RENAME TO budgetkit_former_subjects;

    CREATE TABLE budgetkit_subjects (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      subject TEXT NOT NULL UNIQUE,
      longest_ms INTEGER NOT NULL,
      asked_at INTEGER NOT NULL, -- at the first admission and at refusals; of other admissions the runs have the time
      idle_at INTEGER NOT NULL -- not idle before; admissions do not move it, the pruner does
    ) STRICT;
    INSERT INTO budgetkit_subjects (subject, longest_ms, asked_at, idle_at)
      SELECT subject, longest_ms, asked_at, idle_at FROM budgetkit_former_subjects;

    CREATE TABLE budgetkit_runs (
      subject_id INTEGER NOT NULL,
      latest INTEGER NOT NULL, -- the time of the last admission of the run
      last INTEGER NOT NULL, -- its number: counts the admissions of the subject, without gaps
      times TEXT NOT NULL, -- of all admissions of the run, as a JSON list
      PRIMARY KEY (subject_id, latest, last)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO budgetkit_runs (subject_id, latest, last, times)
      SELECT s.id, a.at, a.number, json_array(a.at)
      FROM budgetkit_admissions AS a JOIN budgetkit_subjects AS s ON s.subject = a.subject;

    DROP TABLE budgetkit_admissions;
    DROP TABLE budgetkit_former_subjects;
    CREATE INDEX budgetkit_subjects_by_idleness ON budgetkit_subjects (idle_at);
  `,
};
