import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { receiveBody, TURN_BYTES } from "./receive-body.js";

const CHUNKS = 20;

/** A body all of which has arrived. */
function bodyOf(chunks: number): PassThrough {
  const body = new PassThrough({ highWaterMark: chunks * TURN_BYTES });
  for (let index = 0; index < chunks; index += 1) body.write(Buffer.alloc(TURN_BYTES, index));
  body.end();
  return body;
}

it("receives a large body over many turns of the event loop, in order", async () => {
  let turns = 0;
  const next = () => {
    turns += 1;
    immediate = setImmediate(next);
  };
  let immediate = setImmediate(next);
  const bytes = await receiveBody(bodyOf(CHUNKS), CHUNKS * TURN_BYTES);
  clearImmediate(immediate);
  expect(turns).toBeGreaterThanOrEqual(CHUNKS - 1);
  const expected = Buffer.concat(Array.from({ length: CHUNKS }, (_, index) => Buffer.alloc(TURN_BYTES, index)));
  expect(Buffer.compare(Buffer.from(bytes === "too-large" ? [] : bytes), expected)).toBe(0);
});

it("accepts a body of the size limit, and refuses one byte more without stopping it", async () => {
  expect(await receiveBody(bodyOf(2), 2 * TURN_BYTES)).toHaveLength(2 * TURN_BYTES);
  const larger = bodyOf(3);
  const ended = once(larger, "end");
  expect(await receiveBody(larger, 2 * TURN_BYTES - 1)).toBe("too-large");
  await ended;
});

it("rejects when the client disconnects, and for a body that was read before", async () => {
  const cut = new PassThrough();
  const received = receiveBody(cut, TURN_BYTES);
  cut.write("a");
  cut.destroy();
  await expect(received).rejects.toThrow("disconnected");
  await expect(receiveBody(cut, TURN_BYTES)).rejects.toThrow("read before");
});
