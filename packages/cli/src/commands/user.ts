import { type AccountView, ROLES } from "@budgetkit/core";
import { z } from "zod";
import { printable } from "../terminal/complaint.js";
import { orRefuse } from "../terminal/problem-text.js";
import { readPassword } from "../terminal/read-password.js";
import { defineCommand, defineGroup, needed } from "./define-command.js";
import { actorIn, withService } from "./operator.js";
import { userActs } from "./user-acts.js";

const create = () =>
  defineCommand({
    usage: "create",
    summary: "make a user of a business, who can log in",
    about:
      "Makes a user. The password, of 12 characters at least, is asked for, or read from standard input where that is no " +
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
      "Their sessions end. API keys still work. The server may be running.",
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
        report.result(reset, `${email} has the new password; the sessions with the old one have ended.`);
      });
    },
  });

const list = () =>
  defineCommand({
    usage: "list",
    summary: "list the users of a business",
    about: "Lists the users of a business in order of their ids: id, role, status and email.",
    examples: ["budgetkit user list --business 1001", "budgetkit user list --business 1001 --json | jq -r '.[].email'"],
    settings: ["DATABASE_URL"],
    flags: [["--business <id>", "the business of the users"]],
    run: async ({ settings, flags, report }) => {
      const { business } = flags(z.object({ business: needed }));
      await withService(settings(), async ({ service }) => {
        const actor = await actorIn(service, business);
        const users: AccountView[] = [];
        for (let page = 1; ; page += 1) {
          const found = orRefuse(await service.users.list(actor, { page, limit: 100 }));
          users.push(...found.data);
          if (!found.pagination.hasMore) break;
        }
        report.result(users, users.map(lineOf).join("\n") || "The business has no users.");
      });
    },
  });

function lineOf({ id, role, status, email, hasSecondFactor }: AccountView): string {
  return [id, role.padEnd(6), status.padEnd(8), hasSecondFactor ? "2FA" : "   ", printable(email)].join("  ");
}

export const userCommands = () =>
  defineGroup("user", "make, invite, list, change and remove users", [create(), list(), password(), ...userActs()]);
