import { library } from "../../tsup.base.js";

export default library({
  index: "src/index.ts",
  testing: "src/testing.ts",
  "store-kit": "src/store-kit.ts",
  http: "src/http.ts",
});
