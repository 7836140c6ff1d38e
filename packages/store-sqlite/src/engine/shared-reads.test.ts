import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";
import { connect, type OwnConnection } from "./connection.js";
import { openDatabase } from "./database.js";

describe("reads that are asked for together", () => {
  let folder: TemporaryFolder;
  let other: BetterSqlite3.Database; // as another process has it open
  let database: SqliteDatabase;
  let connection: OwnConnection;
  let count: () => unknown;

  beforeEach(() => {
    folder = temporaryFolder();
    other = new BetterSqlite3(folder.file("numbers.db"));
    other.exec("PRAGMA journal_mode = WAL; CREATE TABLE numbers (n)");
    database = openDatabase(folder.file("numbers.db"));
    connection = connect(database);
    count = connection.value("SELECT count(*) FROM numbers");
  });

  afterEach(async () => {
    await connection.drain();
    database.close();
    other.close();
    folder.remove();
  });

  const add = () => other.exec("INSERT INTO numbers VALUES (1)");
  const countThenAdd = () => {
    const counted = count();
    add();
    return counted;
  };

  it("reads of one turn see one state, and later reads the next one", async () => {
    expect(await Promise.all([connection.read(countThenAdd), connection.read(count)])).toEqual([0, 0]);
    expect(await connection.read(count)).toBe(1);
  });

  it("reads see what the process has written before", async () => {
    const insert = connection.command("INSERT INTO numbers VALUES (2)");
    await connection.write(insert);
    expect(await Promise.all([connection.read(count), connection.snapshot(count)])).toEqual([1, 1]);
  });

  it("a read of one turn fails alone", async () => {
    const fails = connection.value("SELECT * FROM nothing");
    const outcomes = await Promise.allSettled([connection.read(fails), connection.read(count)]);
    expect(outcomes).toMatchObject([{ status: "rejected" }, { status: "fulfilled", value: 0 }]);
  });

  it("the version of a read changes with commits of other connections alone", async () => {
    const version = () => connection.version();
    const addThenVersion = () => {
      add();
      return connection.version();
    };
    const [first, second] = await Promise.all([connection.read(version), connection.read(addThenVersion)]);
    expect([first, typeof second]).toEqual([second, "number"]);
    const next = await connection.read(version);
    expect(next).not.toBe(first);
    await connection.write(connection.command("INSERT INTO numbers VALUES (2)"));
    expect(await Promise.all([connection.snapshot(version), connection.read(version)])).toEqual([next, next]);
  });

  it("a read has no version inside a transaction of the connection's owner", async () => {
    database.exec("BEGIN");
    const version = () => connection.version();
    expect(await Promise.all([connection.read(version), connection.snapshot(version)])).toEqual([null, null]);
    database.exec("COMMIT");
    expect(await connection.read(version)).not.toBeNull();
  });

  it("refuses reads once the connection was drained", async () => {
    await connection.drain();
    await expect(connection.read(count)).rejects.toThrow("the store was closed");
  });
});
