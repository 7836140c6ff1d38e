const EVERY_ADDRESS = ["0.0.0.0", "::"];

/** The URL for a browser on this machine; a server that listens on all addresses is reached at localhost. */
export function listeningUrl(host: string, port: number): string {
  if (EVERY_ADDRESS.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
