// Preloaded into the processes of tests that run on node:sqlite: better-sqlite3 is as if it were not installed.
const Module = require("node:module");

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  if (request.split("/")[0] === "better-sqlite3") {
    throw Object.assign(new Error(`Cannot find module '${request}'`), { code: "MODULE_NOT_FOUND" });
  }
  return resolve.call(this, request, ...rest);
};
