import type { AttachmentStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";

export function postgresAttachments(_connection: Connection): AttachmentStore {
  return {} as never; // to be written
}
