import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { aDocument, anItem, CHANGED_AT } from "../../packages/pdf/src/testing/a-document.js";
import { builtServer } from "../programs/build-programs.js";

const built = pathToFileURL(join(fileURLToPath(new URL("../..", import.meta.url)), "packages/pdf/dist/index.js")).href;
const document = aDocument({ rows: Array.from({ length: 60 }, (_, index) => anItem(`Ξύλο ${index} żółć`)) });

/** Prints the digest of the PDF, after another one: a process remembers nothing of it. */
const PROGRAM = `
  import { createHash } from "node:crypto";
  import { text } from "node:stream/consumers";
  import { pdfDocuments } from ${JSON.stringify(built)};
  const { document, changedAt, before } = JSON.parse(await text(process.stdin));
  const pdf = pdfDocuments();
  const details = { changedAt: new Date(changedAt), logo: null };
  if (before) await pdf.render({ ...document, title: "Ω Ω ż − 1", rows: document.rows.slice(40) }, details);
  const bytes = await pdf.render(document, details);
  console.log(createHash("sha256").update(bytes).digest("hex"));
`;

describe("PDFs", () => {
  beforeAll(builtServer, 300_000);

  it("a PDF is the same in processes of other time zones and languages", () => {
    const digest = (env: Record<string, string>, before: boolean) => {
      const run = spawnSync(process.execPath, ["--input-type=module", "--eval", PROGRAM], {
        env: { PATH: process.env.PATH, ...env },
        input: JSON.stringify({ document, changedAt: CHANGED_AT, before }),
        encoding: "utf8",
      });
      expect(run.stderr).toBe("");
      return run.stdout.trim();
    };
    const first = digest({ TZ: "Pacific/Auckland", LANG: "de_DE.UTF-8" }, false);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(digest({ TZ: "America/Lima", LC_ALL: "tr_TR.UTF-8" }, true)).toBe(first);
  });
});
