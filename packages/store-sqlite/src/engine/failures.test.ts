import { isIdTaken, StoreUnavailable } from "@budgetkit/core/store";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { storeFailure } from "./failures.js";

describe("the failures of SQLite", () => {
  const momentary = [
    "SQLITE_FULL",
    "SQLITE_BUSY",
    "SQLITE_BUSY_SNAPSHOT",
    "SQLITE_LOCKED",
    "SQLITE_IOERR_WRITE",
    "SQLITE_READONLY_DBMOVED",
    "SQLITE_CANTOPEN",
  ];

  for (const code of momentary) {
    it(`${code} makes the store unavailable, and stays as the cause (StoreUnavailable)`, () => {
      const error = new BetterSqlite3.SqliteError("of the moment", code);
      const failure = storeFailure(error);
      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect(failure).toHaveProperty("cause", error);
    });
  }

  it("a full file system makes the store unavailable (StoreUnavailable)", () => {
    expect(storeFailure(Object.assign(new Error("no space"), { code: "ENOSPC" }))).toBeInstanceOf(StoreUnavailable);
  });

  for (const code of ["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_ERROR", "SQLITE_CORRUPT", "SQLITE_FULLNESS"]) {
    it(`${code} stays a plain failure`, () => {
      const error = new BetterSqlite3.SqliteError("not of the moment", code);
      expect(storeFailure(error)).toBe(error);
    });
  }

  it.each([
    ["SQLITE_CONSTRAINT_PRIMARYKEY", 1555],
    ["SQLITE_CONSTRAINT_ROWID", 2579],
  ])(
    "%s is a taken id (IdTaken), with the name that better-sqlite3 gives and with the number of node:sqlite",
    (code, errcode) => {
      const byName = new BetterSqlite3.SqliteError("taken", code);
      const byNumber = Object.assign(new Error("taken"), { code: "ERR_SQLITE_ERROR", errcode });
      for (const error of [byName, byNumber]) expect(isIdTaken(storeFailure(error))).toBe(true);
    },
  );

  it("rethrows what is no error unchanged", () => {
    expect(storeFailure("thrown text")).toBe("thrown text");
  });
});
