import { library } from "../../tsup.base.js";

export default library(
  {
    index: "src/entries/index.ts",
    store: "src/entries/store.ts",
    http: "src/entries/http.ts",
    routes: "src/entries/routes.ts",
    pricing: "src/entries/pricing.ts",
  },
  { esmOnly: ["jose"] },
);
