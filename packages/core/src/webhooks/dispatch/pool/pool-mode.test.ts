import { expect, it } from "vitest";
import { type Mode, nextMode, type Signal } from "./pool-mode.js";

const SIGNALS: readonly Signal[] = ["start", "stop", "claim", "claimed-all", "claimed-some", "no-slot"];
const after = (...signals: readonly Signal[]) => signals.reduce(nextMode, "stopped");

/** The mode after each of {@link SIGNALS}. */
const TABLE: Readonly<Record<Mode, readonly (Mode | "refused")[]>> = {
  stopped: ["full", "stopped", "stopped", "stopped", "stopped", "refused"],
  idle: ["idle", "stopped", "claiming", "refused", "refused", "full"],
  claiming: ["claiming", "stopped", "refused", "idle", "full", "refused"],
  full: ["full", "stopped", "claiming", "full", "full", "refused"],
};

const MODES: readonly Mode[] = ["stopped", "idle", "claiming", "full"];

for (const mode of MODES) {
  it.each(SIGNALS.map((signal, index) => [signal, TABLE[mode][index]] as const))(
    `moves a pool that is ${mode} and gets "%s": %s`,
    (signal, expected) => {
      if (expected === "refused")
        expect(() => nextMode(mode, signal)).toThrow(`the pool got "${signal}" while ${mode}`);
      else expect(nextMode(mode, signal)).toBe(expected);
    },
  );
}

it("makes a pool idle only after a claim that took all that was due: planned deliveries must not overtake older ones", () => {
  expect(after("start")).toBe("full");
  expect(after("start", "claim")).toBe("claiming");
  expect(after("start", "claim", "claimed-some")).toBe("full");
  expect(after("start", "claim", "claimed-all")).toBe("idle");
  expect(after("start", "claim", "claimed-all", "no-slot")).toBe("full");
  const toIdle = MODES.flatMap((mode) =>
    SIGNALS.filter((_, index) => mode !== "idle" && TABLE[mode][index] === "idle").map((signal) => [mode, signal]),
  );
  expect(toIdle).toEqual([["claiming", "claimed-all"]]);
});

it("keeps a stopped pool stopped during the claims of ticks, and when an earlier claim ends", () => {
  expect(after("claim", "claimed-all")).toBe("stopped");
  expect(after("start", "claim", "stop", "claimed-all")).toBe("stopped");
});

it("learns nothing from a claim that began before the start", () => {
  expect(after("claim", "start", "claimed-all", "claim", "claimed-some")).toBe("full");
});
