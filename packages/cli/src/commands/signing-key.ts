import { defineCommand, defineGroup } from "./define-command.js";
import { withService } from "./operator.js";

const list = () =>
  defineCommand({
    usage: "list",
    summary: "list the keys that sign the evidence of acceptances",
    about: "Lists the signing keys, the current one first: id and creation. The first one is made when it is needed.",
    examples: ["budgetkit signing-key list"],
    settings: ["DATABASE_URL"],
    run: (call) =>
      withService(call.settings(), async ({ service }) => {
        const keys = await service.signingKeys.list();
        const lines = keys.map(
          ({ kid, createdAt, isCurrent }) => `${kid}  ${createdAt}${isCurrent ? "  current" : ""}`,
        );
        call.report.result(keys, lines.length === 0 ? "There are no signing keys yet." : lines.join("\n"));
      }),
  });

const rotate = () =>
  defineCommand({
    usage: "rotate",
    summary: "put a new key in the place of the one that signs the evidence of acceptances",
    about:
      "Makes a new signing key. Running servers sign with it within a minute. The public parts of all keys stay " +
      "published, so that the evidence they signed can still be verified.",
    examples: ["budgetkit signing-key rotate"],
    settings: ["DATABASE_URL"],
    run: (call) =>
      withService(call.settings(), async ({ service }) => {
        const key = await service.signingKeys.rotate();
        call.report.result(key, key.kid);
      }),
  });

export const signingKeyCommands = () =>
  defineGroup("signing-key", "list and rotate the keys that sign evidence", [list(), rotate()]);
