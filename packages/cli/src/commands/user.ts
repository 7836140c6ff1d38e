import { ROLES } from "@budgetkit/core";
import { z } from "zod";
import { defineCommand, defineGroup, needed } from "../define-command.js";
import { withService } from "../operator.js";
import { orRefuse } from "../problem-text.js";
import { readPassword } from "../read-password.js";

const create = () =>
  defineCommand({
    usage: "create",
    summary: "make a user of a business, who can log in",
    about:
      "Makes a user. The password, of 8 characters at least, is asked for, or read from standard input where that is no " +
      `terminal. Roles: ${ROLES.join(", ")}; MEMBER reads, the others change as well.`,
    examples: ["budgetkit user create --business 1001 --email ana@example.com --name Ana --role ADMIN < password.txt"],
    settings: ["DATABASE_URL"],
    flags: [
      ["--business <id>", "the business that the user belongs to"],
      ["--email <address>", "what the user logs in with"],
      ["--name <text>", "the name that is shown; the email by default"],
      ["--role <role>", "OWNER by default"],
    ],
    run: async ({ settings, flags, report }) => {
      const { business, email, name, role } = flags(
        z.object({
          business: needed,
          email: needed,
          name: z.string().optional(),
          role: z.enum(ROLES, `must be one of ${ROLES.join(", ")}`).default("OWNER"),
        }),
      );
      await withService(settings(), async ({ service }) => {
        const password = await readPassword(`Password of ${email}: `);
        const displayName = name ?? email;
        const user = orRefuse(await service.users.create({ businessId: business, email, password, displayName, role }));
        report.result(user, `${email} can log in.`);
      });
    },
  });

const password = () =>
  defineCommand({
    usage: "password",
    summary: "give a user a new password in the place of a lost one",
    about:
      "Gives the user of an email a new password, which is asked for, or read from standard input where that is no terminal. " +
      "Their sessions end. API keys go on working. The server may run meanwhile.",
    examples: [
      "budgetkit user password --email admin@example.com",
      "budgetkit user password --email ana@example.com < password.txt",
    ],
    settings: ["DATABASE_URL"],
    flags: [["--email <address>", "what the user logs in with"]],
    run: async ({ settings, flags, report }) => {
      const { email } = flags(z.object({ email: needed }));
      await withService(settings(), async ({ service }) => {
        const reset = orRefuse(
          await service.users.resetPassword({ email, password: await readPassword("New password: ") }),
        );
        const { user, endedSessions } = reset;
        report.result({ ...user, endedSessions }, `${email} has the new password; sessions ended: ${endedSessions}.`);
      });
    },
  });

export const userCommands = () => defineGroup("user", "make users and replace lost passwords", [create(), password()]);
