import { expect, it, onTestFinished, vi } from "vitest";
import { postgresStore } from "../index.js";
import { leadingProxy, socketOf } from "../testing/leading-proxy.js";
import { startPostgres } from "../testing/postgres-server.js";

it("a store closes though packets of its connections are lost, also of the listening one", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const proxy = await leadingProxy(() => socketOf(server));
  onTestFinished(proxy.close);
  const store = postgresStore(proxy.url);
  await store.migrate();
  const listening = vi.fn();
  store.onWork?.(listening);
  await vi.waitFor(() => expect(listening).toHaveBeenCalled(), { timeout: 20_000 });
  proxy.silence();
  await store.close(); // else the test ends by its timeout
});
