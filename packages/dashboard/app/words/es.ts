import type { Words } from "./en.js";
import { account } from "./es/account.js";
import { budget } from "./es/budget.js";
import { budgets } from "./es/budgets.js";
import { business } from "./es/business.js";
import { catalog } from "./es/catalog.js";
import { common } from "./es/common.js";
import { customers } from "./es/customers.js";
import { editor } from "./es/editor.js";
import { events } from "./es/events.js";
import { integrations } from "./es/integrations.js";
import { keys } from "./es/keys.js";
import { overview } from "./es/overview.js";
import { palette } from "./es/palette.js";
import { people } from "./es/people.js";
import { reference } from "./es/reference.js";
import { session } from "./es/session.js";
import { shell } from "./es/shell.js";
import { usage } from "./es/usage.js";
import { webhooks } from "./es/webhooks.js";

export const es: Words = {
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
