import { describe, expect, it } from "vitest";
import { type Mode, nextMode, type Signal } from "./dispatch-mode.js";

const MODES: readonly Mode[] = ["stopped", "idle", "claiming", "full"];
const SIGNALS: readonly Signal[] = ["start", "stop", "claim", "claimed-all", "claimed-some", "no-slot"];
const after = (...signals: readonly Signal[]) => signals.reduce(nextMode, "stopped");

describe("the mode of the dispatcher", () => {
  it("is idle only after a claim that found everything: new deliveries must not overtake older ones", () => {
    expect(after("start")).toBe("full");
    expect(after("start", "claim")).toBe("claiming");
    expect(after("start", "claim", "claimed-some")).toBe("full");
    expect(after("start", "claim", "claimed-all")).toBe("idle");
    expect(after("start", "claim", "claimed-all", "no-slot")).toBe("full");
    const toIdle = MODES.flatMap((mode) =>
      SIGNALS.filter((signal) => mode !== "idle" && outcomeOf(mode, signal) === "idle").map((signal) => [mode, signal]),
    );
    expect(toIdle).toEqual([["claiming", "claimed-all"]]);
  });

  it("stays stopped during the claims of ticks, and when an earlier claim ends", () => {
    expect(after("claim", "claimed-all")).toBe("stopped");
    expect(after("start", "claim", "stop", "claimed-all")).toBe("stopped");
    for (const mode of MODES) expect(nextMode(mode, "stop")).toBe("stopped");
  });

  it("learns nothing from a claim that began before the start", () => {
    expect(after("claim", "start", "claimed-all", "claim", "claimed-some")).toBe("full");
  });

  it("does not change when it is started twice", () => {
    for (const mode of MODES) expect(nextMode(mode, "start")).toBe(mode === "stopped" ? "full" : mode);
  });

  it("refuses signals that only a defect can send", () => {
    const refused = MODES.flatMap((mode) =>
      SIGNALS.filter((signal) => outcomeOf(mode, signal) === "refused").map((signal) => `${mode}: ${signal}`),
    );
    expect(refused).toEqual([
      "stopped: no-slot",
      "idle: claimed-all",
      "idle: claimed-some",
      "claiming: claim",
      "claiming: no-slot",
      "full: no-slot",
    ]);
    expect(() => nextMode("claiming", "claim")).toThrow(/got "claim" while claiming/);
  });
});

function outcomeOf(mode: Mode, signal: Signal): Mode | "refused" {
  try {
    return nextMode(mode, signal);
  } catch {
    return "refused";
  }
}
