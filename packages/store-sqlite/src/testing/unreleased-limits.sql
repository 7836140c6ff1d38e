CREATE TABLE budgetkit_migrations (version INTEGER PRIMARY KEY, checksum TEXT NOT NULL) STRICT;
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
INSERT INTO budgetkit_migrations (version, checksum) VALUES (1, 'f40a99b705c60d744d8e7529d649068c9e6cbfc412b8a64bf268f1d9315169ce');
INSERT INTO budgetkit_admissions (subject, at, number) VALUES ('key:1:20', 1768478400000, 1);
INSERT INTO budgetkit_admissions (subject, at, number) VALUES ('key:1:20', 1768478400001, 2);
INSERT INTO budgetkit_subjects (subject, longest_ms, asked_at, idle_at) VALUES ('key:1:20', 3600000, 1768478400000, 1768482000000);
