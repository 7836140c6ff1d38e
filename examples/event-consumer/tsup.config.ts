import { program } from "../../tsup.base.js";

export default program({ main: "src/main.ts" });
