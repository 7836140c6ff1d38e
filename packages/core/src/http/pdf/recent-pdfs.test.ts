import { describe, expect, it, vi } from "vitest";
import { createRecentPdfs, madeOnce } from "./recent-pdfs.js";

/** Names of the PDFs that were made, in order. */
function world(maxKept: number, maxBytes: number) {
  const recent = createRecentPdfs();
  const made: string[] = [];
  const open = (name: string, size = 10) => {
    const make = async () => {
      made.push(name);
      return new Uint8Array(size);
    };
    return madeOnce(recent, name.charAt(0), name, make, { pdfs: maxKept, bytes: maxBytes });
  };
  return { recent, made, open };
}

describe("recent PDFs", () => {
  it("makes a cached PDF once, also for concurrent calls, and returns a copy to each caller", async () => {
    const { made, open } = world(10, 1_000);
    const [first] = await Promise.all([open("a1"), open("a1"), open("a2")]);
    first?.fill(1);
    expect((await open("a1"))[0]).toBe(0);
    expect(made).toEqual(["a1", "a2"]);
  });

  it("the cached PDFs of a business that fills the cache displace none of another business", async () => {
    const { made, open } = world(10, 100);
    await open("b1", 40);
    for (const name of ["a1", "a2", "a3", "a4", "a5", "a6", "a7"]) await open(name, 20);
    expect(made.splice(0)).toHaveLength(8);
    await open("b1", 40);
    expect(made).toEqual([]);
    for (const name of ["a7", "a6", "a5"]) await open(name, 20);
    expect(made).toEqual([]);
    await open("a1", 20);
    expect(made).toEqual(["a1"]);
  });

  it("keeps the PDF of a business while another one asks for more PDFs than are kept", async () => {
    const { made, open } = world(500, 32_000_000);
    await open("b1");
    for (let count = 0; count < 510; count += 1) await open(`a${count}`);
    await open("b1");
    expect(made.filter((name) => name === "b1")).toHaveLength(1);
  });

  it("drops the PDFs that were used longest ago beyond the number that is kept", async () => {
    const { made, open } = world(2, 1_000);
    for (const name of ["a1", "a2", "a1", "a3", "a1", "a2"]) await open(name);
    expect(made).toEqual(["a1", "a2", "a3", "a2"]);
  });

  it("returns a PDF that is larger than the cache without keeping it", async () => {
    const { made, open } = world(10, 100);
    await open("b1");
    for (let times = 0; times < 2; times += 1) expect(await open("a1", 101)).toHaveLength(101);
    await open("b1");
    expect(made).toEqual(["b1", "a1", "a1"]);
  });

  it("makes a PDF again after a failure", async () => {
    const { recent } = world(10, 100);
    const make = vi.fn(async () => new Uint8Array(1)).mockRejectedValueOnce(new Error("broken"));
    await expect(madeOnce(recent, "a", "a1", make)).rejects.toThrow("broken");
    expect(await madeOnce(recent, "a", "a1", make)).toHaveLength(1);
    expect(make).toHaveBeenCalledTimes(2);
  });
});
