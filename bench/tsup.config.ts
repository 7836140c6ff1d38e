import { program } from "../tsup.base.js";

export default program(["src/*.ts", "!src/*.test.ts"]);
