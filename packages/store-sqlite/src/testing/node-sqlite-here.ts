import type { NodeSqlite } from "../driver/node-sqlite.js";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

/** The module node:sqlite of this Node; null = there is none that the store can use, as before Node 22.16. */
export const nodeSqliteHere =
  major >= 24 || (major === 22 && minor >= 16)
    ? (process.getBuiltinModule("node:sqlite") as unknown as NodeSqlite)
    : null;
