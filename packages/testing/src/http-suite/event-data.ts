import assert from "node:assert/strict";
import { eventSchemas } from "@budgetkit/core/routes";
import { EVENT_TYPES, type EventType, type Store } from "@budgetkit/core/store";

const TYPES: ReadonlySet<string> = new Set(EVENT_TYPES);
const PAGE = 500;

/** The data of every event is what its schema says, no field less and none more. Throws an AssertionError. */
export async function checkEventData(store: Store, businessIds: readonly string[]): Promise<void> {
  for (const businessId of businessIds) {
    const query = { type: null, subjectId: null, since: null, until: null, limit: PAGE, offset: 0 };
    const { entries } = await store.listEvents(businessId, query);
    for (const { type, data } of entries) if (isEvent(type)) checkData(type, data);
  }
}

function isEvent(type: string): type is EventType {
  return TYPES.has(type);
}

/** Throws an AssertionError. */
function checkData(type: EventType, data: unknown): void {
  const sent: unknown = JSON.parse(JSON.stringify(data));
  const parsed = eventSchemas[type].data.safeParse(sent);
  assert.ok(parsed.success, `the data of ${type} does not fit its schema: ${parsed.error?.message}`);
  assert.deepEqual(parsed.data, sent, `the data of ${type} has fields that its schema does not know`);
}
