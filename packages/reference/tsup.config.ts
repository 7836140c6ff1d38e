import { library } from "../../tsup.base.js";
import { writeViewer } from "./src/build/write-viewer.js";

export default library(
  { index: "src/index.ts" },
  {
    shims: true, // where the viewer is, in CommonJS
    onSuccess: async () => writeViewer(import.meta.dirname),
  },
);
