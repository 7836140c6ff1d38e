import { announcement } from "./announcement.js";
import { startServer } from "./server.js";
import { readSettings } from "./settings.js";
import { StartFailure } from "./start-failure.js";

try {
  await run();
} catch (error) {
  console.error(error instanceof StartFailure ? error.message : error);
  process.exit(1);
}

async function run(): Promise<void> {
  const server = await startServer(readSettings(process.env));
  stopOnSignal(server.stop);
  if (server.hasNewSecret && server.firstOwner === null) {
    console.warn("A new secret was made for this database: its sessions have ended, what was sealed stays sealed.");
  }
  console.log(announcement(server));
}

/** A terminal and npm may both pass the same signal on, so that it comes twice. */
function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  const end = () => {
    if (isStopping) return;
    isStopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, end);
}
