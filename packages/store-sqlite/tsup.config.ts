import { library } from "../../tsup.base.js";

export default library(
  { index: "src/index.ts" },
  { shims: true }, // where the driver is looked for, in CommonJS
);
