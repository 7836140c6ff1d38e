import { randomBytes } from "node:crypto";
import type { BudgetService, Problem } from "@budgetkit/core";
import type { Settings } from "./settings.js";
import { StartFailure } from "./start-failure.js";

/** Whoever can log in after the first start. */
export interface FirstOwner {
  readonly email: string;
  readonly newPassword: string | null; // null = the one that the environment gave
}

/** Makes a business and its owner when nobody can log in yet; null = somebody can. */
export async function makeFirstOwner(service: BudgetService, settings: Settings): Promise<FirstOwner | null> {
  if (await service.users.exist()) return null;
  const { BUDGETKIT_ADMIN_EMAIL: email, BUDGETKIT_ADMIN_PASSWORD: given } = settings;
  const password = given ?? randomBytes(18).toString("base64url");
  const business = await service.businesses.create({ name: settings.BUDGETKIT_BUSINESS_NAME });
  if (business.isErr()) throw new StartFailure(reasonOf(business.error));
  const owner = { businessId: business.value.id, email, password, displayName: "Owner", role: "OWNER" } as const;
  const user = await service.users.create(owner);
  if (user.isOk()) return { email, newPassword: given === null ? password : null };
  if (user.error.kind === "conflict") return null; // another process that starts at the same time made the owner
  throw new StartFailure(reasonOf(user.error));
}

function reasonOf(problem: Problem): string {
  return `The first user could not be made: ${JSON.stringify(problem)}`;
}
