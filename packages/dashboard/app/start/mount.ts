/** Where the dashboard is mounted, as the server wrote it into the document. */
export interface Mount {
  /** The path that every address of the dashboard begins with: `/dashboard`, or empty at the root. */
  readonly base: string;
  /** "form": people log in here. "host": the application around it says who is logged in. */
  readonly session: "form" | "host";
}

const { base = "", session } = document.documentElement.dataset;

export const mount: Mount = { base: base.replace(/\/+$/, ""), session: session === "host" ? "host" : "form" };
