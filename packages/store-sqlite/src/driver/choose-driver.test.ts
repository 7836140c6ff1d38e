import { describe, expect, it } from "vitest";
import { chooseDriver, driverInUse, driverText, type Surroundings } from "./choose-driver.js";

class Database {
  isTransaction = false;
  close(): void {}
}

/** A machine with this Node and, unless null, this better-sqlite3. */
function machine(nodeVersion: string, installed: string | null, hasBuiltin = true): Surroundings {
  return {
    nodeVersion,
    load: (name) => {
      if (installed === null) throw new Error(`Cannot find module ${name}`);
      return name === "better-sqlite3" ? Database : { version: installed };
    },
    loadBuiltin: () => (hasBuiltin ? { DatabaseSync: Database } : undefined),
  };
}

describe("the SQLite driver of a process", () => {
  it.each([
    ["20.19.0", "12.11.1", "better-sqlite3"],
    ["22.16.0", "12.11.1", "better-sqlite3"],
    ["24.18.1", "12.11.1", "better-sqlite3"],
    ["22.0.0", "13.2.0", "better-sqlite3"],
    ["26.10.0", "13.2.0", "better-sqlite3"],
    ["24.19.0", "12.11.1", "node:sqlite"],
    ["26.10.0", "12.11.1", "node:sqlite"],
    ["22.16.0", null, "node:sqlite"],
  ])("the SQLite driver on Node %s with better-sqlite3 %s is %s", (nodeVersion, installed, expected) => {
    expect(chooseDriver(machine(nodeVersion, installed)).name).toBe(expected);
  });

  it("driverText names the driver with its version, or with that of its Node", () => {
    expect(driverText(chooseDriver(machine("22.16.0", "12.11.1")))).toBe("better-sqlite3 12.11.1");
    expect(driverText(chooseDriver(machine("24.21.0", null)))).toBe("node:sqlite of Node 24.21.0");
    expect(driverInUse()).toMatch(/^(?:better-sqlite3|node:sqlite of Node) \d+\.\d+\.\d+$/);
  });

  it("uses node:sqlite where the native part of better-sqlite3 is missing", () => {
    class Unbuilt {
      constructor() {
        throw new Error("Could not locate the bindings file");
      }
    }
    const here = machine("22.16.0", "12.11.1");
    const load = (name: string) => (name === "better-sqlite3" ? Unbuilt : here.load(name));
    expect(chooseDriver({ ...here, load }).name).toBe("node:sqlite");
  });

  it("refuses without a driver, with each reason: none installed, another version, no or an early node:sqlite", () => {
    expect(() => chooseDriver(machine("20.19.0", null, false))).toThrow(
      "no SQLite driver can be used: better-sqlite3 is not installed; Node 20.19.0 has no node:sqlite",
    );
    expect(() => chooseDriver(machine("20.19.0", "13.2.0", false))).toThrow("install better-sqlite3@12");
    const early = {
      DatabaseSync: class {
        close(): void {}
      },
    };
    expect(() => chooseDriver({ ...machine("22.5.0", null), loadBuiltin: () => early })).toThrow(
      "Node 22.5.0 is too old",
    );
  });
});
