const EVERY_ADDRESS = ["0.0.0.0", "::"];

/** The address to type in: of a server that listens on every address, the one of this machine. */
export function addressOf(host: string, port: number): string {
  if (EVERY_ADDRESS.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
