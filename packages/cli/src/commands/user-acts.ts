import { type AccountView, type Actor, type BudgetService, type IssuedToken, ROLES } from "@budgetkit/core";
import type { Command } from "commander";
import { z } from "zod";
import { type OperationResult, orRefuse } from "../terminal/problem-text.js";
import type { Report } from "../terminal/report.js";
import { defineCommand, needed } from "./define-command.js";
import { actorIn, withService } from "./operator.js";

const EMAIL = ["--email <address>", "what the user logs in with"] as const;
const role = z.enum(ROLES, `must be one of ${ROLES.join(", ")}`);

const invite = () =>
  defineCommand({
    usage: "invite",
    summary: "make a user who sets the password by a link",
    about:
      "Makes a user without a password and prints a link by which the user sets one, once and within 7 days. With " +
      `SMTP_URL the link is mailed as well. Roles: ${ROLES.join(", ")}.`,
    examples: ["budgetkit user invite --business 1001 --email ana@example.com --name Ana --role ADMIN"],
    settings: ["DATABASE_URL", "BUDGETKIT_PUBLIC_URL"],
    flags: [
      ["--business <id>", "the business that the user belongs to"],
      EMAIL,
      ["--name <text>", "the name that is shown; the email by default"],
      ["--role <role>", "MEMBER by default"],
    ],
    run: async ({ settings, flags, report }) => {
      const { business, email, name, ...given } = flags(
        z.object({ business: needed, email: needed, name: z.string().optional(), role: role.default("MEMBER") }),
      );
      await withService(settings(), async ({ service }) => {
        const actor = await actorIn(service, business);
        const issued = orRefuse(await service.users.invite(actor, { email, displayName: name ?? email, ...given }));
        await service.stop(); // waits for the mail
        reportToken(report, issued);
      });
    },
  });

const resetLink = () =>
  defineCommand({
    usage: "reset-link",
    summary: "print a link by which a user sets a new password",
    about:
      "Prints a link by which the user sets a new password, once and within an hour; for an invited user a new " +
      "invitation of 7 days. An earlier link stops working. Deliver it to the user yourself.",
    examples: ["budgetkit user reset-link --email ana@example.com"],
    settings: ["DATABASE_URL", "BUDGETKIT_PUBLIC_URL"],
    flags: [EMAIL],
    run: async ({ settings, flags, report }) => {
      const { email } = flags(z.object({ email: needed }));
      await withService(settings(), async ({ service }) => {
        const { actor, id } = await findUser(service, email);
        reportToken(report, orRefuse(await service.users.issueToken(actor, id)));
      });
    },
  });

function reportToken(report: Report, issued: IssuedToken): void {
  report.result(issued, issued.link);
  report.note(`The link of ${issued.user.email} works once, until ${issued.expiresAt}.`);
}

const changeRole = () =>
  defineCommand({
    usage: "role",
    summary: "change the role of a user",
    about: `Changes the role of a user: ${ROLES.join(", ")}. A business keeps one OWNER at least.`,
    examples: ["budgetkit user role --email ana@example.com --role ADMIN"],
    settings: ["DATABASE_URL"],
    flags: [EMAIL, ["--role <role>", "the new role"]],
    run: async ({ settings, flags, report }) => {
      const { email, role: wanted } = flags(z.object({ email: needed, role }));
      await withService(settings(), async ({ service }) => {
        const { actor, id } = await findUser(service, email);
        report.result(orRefuse(await service.users.changeRole(actor, id, wanted)), `${email} is ${wanted} now.`);
      });
    },
  });

interface Act {
  readonly usage: string;
  readonly summary: string;
  readonly about: string;
  readonly done: string; // after the email, in the report
  run(service: BudgetService, actor: Actor, id: string): Promise<OperationResult<AccountView>>;
}

const ACTS: readonly Act[] = [
  {
    usage: "disable",
    summary: "refuse the logins of a user; the sessions end at once",
    about: "Disables a user: the sessions end at once, and logins are refused. API keys still work.",
    done: "is disabled; the sessions have ended.",
    run: ({ users }, actor, id) => users.disable(actor, id),
  },
  {
    usage: "enable",
    summary: "let a disabled user log in again",
    about: "Lets a disabled user log in again, with the same password.",
    done: "is enabled.",
    run: ({ users }, actor, id) => users.enable(actor, id),
  },
  {
    usage: "remove",
    summary: "delete a user; the sessions end at once",
    about: "Deletes a user. The sessions end at once, and the email is free again. The records of the business stay.",
    done: "is removed; the sessions have ended.",
    run: ({ users }, actor, id) => users.remove(actor, id),
  },
  {
    usage: "end-sessions",
    summary: "end all sessions of a user",
    about: "Ends all sessions of a user, who may log in again.",
    done: "has no sessions left.",
    run: ({ users }, actor, id) => users.endSessions(actor, id),
  },
  {
    usage: "reset-second-factor",
    summary: "remove the second factor of a user who lost it",
    about: "Removes the second factor of a user. The sessions end, and the next login asks for the password alone.",
    done: "logs in with the password alone.",
    run: ({ users }, actor, id) => users.resetSecondFactor(actor, id),
  },
];

function actCommand({ usage, summary, about, done, run }: Act): Command {
  return defineCommand({
    usage,
    summary,
    about,
    examples: [`budgetkit user ${usage} --email ana@example.com`],
    settings: ["DATABASE_URL"],
    flags: [EMAIL],
    run: async ({ settings, flags, report }) => {
      const { email } = flags(z.object({ email: needed }));
      await withService(settings(), async ({ service }) => {
        const { actor, id } = await findUser(service, email);
        report.result(orRefuse(await run(service, actor, id)), `${email} ${done}`);
      });
    },
  });
}

/** The user of an email, and an actor for the user's business. Throws a StartFailure when there is none. */
async function findUser({ users }: BudgetService, email: string): Promise<{ actor: Actor; id: string }> {
  const { id, businessId } = orRefuse(await users.findByEmail(email));
  return { actor: { kind: "system", businessId: String(businessId) }, id: String(id) };
}

export const userActs = (): Command[] => [invite(), resetLink(), changeRole(), ...ACTS.map(actCommand)];
