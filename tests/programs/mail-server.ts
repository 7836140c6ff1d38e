import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A mail server of the test. */
export interface MailServer {
  readonly url: string; // smtp://127.0.0.1:<port>
  /** The Message-ID of every mail that it took, in that order. */
  readonly taken: readonly string[];
}

/** Takes every mail. `onTaken` runs when the whole mail has arrived, before the client learns of it. */
export async function startMailServer(onTaken: (messageId: string, mail: string) => void): Promise<MailServer> {
  const taken: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {}); // clients are killed
    serve(socket, (mail) => {
      const messageId = /^Message-ID: (<.*>)\r$/im.exec(mail)?.[1] ?? "none";
      taken.push(messageId);
      onTaken(messageId, mail);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `smtp://127.0.0.1:${port}`, taken };
}

function serve(socket: Socket, take: (mail: string) => void): void {
  let mail: string | null = null; // null = the client sends commands
  socket.write("220 mail\r\n");
  socket.on("data", (chunk) => {
    const text = String(chunk);
    if (mail !== null) {
      mail += text;
      if (!mail.endsWith("\r\n.\r\n")) return;
      take(mail);
      mail = null;
      socket.write("250 taken\r\n");
    } else if (text.startsWith("DATA")) {
      mail = "";
      socket.write("354 go on\r\n");
    } else if (text.startsWith("QUIT")) socket.end("221 bye\r\n");
    else socket.write("250 OK\r\n");
  });
}
