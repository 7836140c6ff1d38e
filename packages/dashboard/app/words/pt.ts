import type { Words } from "./en.js";
import { account } from "./pt/account.js";
import { budget } from "./pt/budget.js";
import { budgets } from "./pt/budgets.js";
import { business } from "./pt/business.js";
import { catalog } from "./pt/catalog.js";
import { common } from "./pt/common.js";
import { customers } from "./pt/customers.js";
import { editor } from "./pt/editor.js";
import { events } from "./pt/events.js";
import { integrations } from "./pt/integrations.js";
import { keys } from "./pt/keys.js";
import { overview } from "./pt/overview.js";
import { palette } from "./pt/palette.js";
import { people } from "./pt/people.js";
import { reference } from "./pt/reference.js";
import { session } from "./pt/session.js";
import { shell } from "./pt/shell.js";
import { usage } from "./pt/usage.js";
import { webhooks } from "./pt/webhooks.js";

export const pt: Words = {
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
