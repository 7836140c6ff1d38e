import { account } from "./en/account.js";
import { budget } from "./en/budget.js";
import { budgets } from "./en/budgets.js";
import { business } from "./en/business.js";
import { catalog } from "./en/catalog.js";
import { common } from "./en/common.js";
import { customers } from "./en/customers.js";
import { editor } from "./en/editor.js";
import { events } from "./en/events.js";
import { integrations } from "./en/integrations.js";
import { keys } from "./en/keys.js";
import { overview } from "./en/overview.js";
import { palette } from "./en/palette.js";
import { people } from "./en/people.js";
import { reference } from "./en/reference.js";
import { session } from "./en/session.js";
import { shell } from "./en/shell.js";
import { usage } from "./en/usage.js";
import { webhooks } from "./en/webhooks.js";

/** The texts of the dashboard, by screen. The other languages have the same ones: the compiler says what is missing. */
export const en = {
  common,
  shell,
  session,
  overview,
  budgets,
  budget,
  editor,
  customers,
  catalog,
  keys,
  usage,
  webhooks,
  integrations,
  events,
  reference,
  business,
  people,
  account,
  palette,
};

export type Words = typeof en;
