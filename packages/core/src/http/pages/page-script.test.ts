import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { signature } from "../../budgets/offer/page-parts.js";
import { PAGE_SCRIPT } from "./page-script.js";

type Listener = (event: object) => void;

/** An element as far as the script uses it. */
class Element {
  hidden = true;
  disabled = false;
  value = "";
  drawn = "";
  form: Element | null = null;
  readonly style = { touchAction: "" };
  readonly listeners = new Map<string, Listener>();
  addEventListener(name: string, listener: Listener): void {
    this.listeners.set(name, listener);
  }
  setAttribute(_name: string, value: string): void {
    this.drawn = value;
  }
  setPointerCapture(): void {}
  scrollIntoView(): void {}
  getBoundingClientRect() {
    return { left: 0, top: 0, width: 600, height: 200 };
  }
  fire(name: string, event: object = {}): boolean {
    let isPrevented = false;
    const preventDefault = () => {
      isPrevented = true;
    };
    this.listeners.get(name)?.({ defaultPrevented: false, preventDefault, pointerId: 1, ...event });
    return !isPrevented;
  }
}

/** Runs the script on a page with a pad, a form and two buttons that send. */
function pageWithPad() {
  const [svg, path, field, clear, excess, form, window] = Array.from({ length: 7 }, () => new Element());
  if (!svg || !path || !field || !clear || !excess || !form || !window) throw new Error("seven elements");
  const [shortage, hint] = [new Element(), new Element()];
  field.form = form;
  const parts = new Map([
    ["svg.pad-field", svg],
    ["svg.pad-field path", path],
    ["input", field],
    ["button", clear],
    [".excess", excess],
    [".shortage", shortage],
    [".hint", hint],
  ]);
  const pad = {
    hidden: true,
    querySelector: (part: string) => parts.get(part),
    contains: (target: unknown) => target === svg,
  };
  const buttons = [new Element(), new Element()];
  const timers: (() => void)[] = [];
  runInNewContext(PAGE_SCRIPT, {
    document: { getElementById: () => pad, querySelectorAll: () => buttons, querySelector: () => null },
    addEventListener: window.addEventListener.bind(window),
    setTimeout: (run: (value: boolean) => void, _ms: number, value: boolean) => timers.push(() => run(value)),
  });
  const draw = (points: readonly Point[], pointerType = "mouse") => {
    for (const [index, [clientX, clientY]] of points.entries()) {
      svg.fire(index === 0 ? "pointerdown" : "pointermove", { clientX, clientY, pointerType });
    }
    svg.fire("pointerup");
  };
  return { pad, svg, path, field, clear, excess, shortage, form, window, buttons, timers, draw };
}

/** A long signature: loops over the whole pad. */
const loops = (count: number) =>
  Array.from({ length: count }, (_, step) => {
    const along = 40 + (step / count) * 500;
    return [along + 20 * Math.cos(step / 7), 100 + 80 * Math.sin(step / 7)] as const;
  });

type Point = readonly [x: number, y: number];

function distanceTo([x, y]: Point, [startX, startY]: Point, [endX, endY]: Point): number {
  const [alongX, alongY] = [endX - startX, endY - startY];
  const share = ((x - startX) * alongX + (y - startY) * alongY) / (alongX ** 2 + alongY ** 2);
  const nearest = Math.min(1, Math.max(0, share));
  return Math.hypot(x - startX - nearest * alongX, y - startY - nearest * alongY);
}

const pointsIn = (text: string) =>
  [...text.matchAll(/[ML] (\d+) (\d+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);

describe("the script of the customer's page", () => {
  it("the page script keeps each point of a signature that fits", () => {
    const { pad, path, field, draw } = pageWithPad();
    expect(pad.hidden).toBe(false);
    draw([
      [10, 20],
      [30, 40],
      [30.2, 40.1],
      [700, -5],
    ]);
    draw([[5, 5]]);
    expect(field.value).toBe("M 10 20 L 30 40 L 600 0 M 5 5");
    expect(path.drawn).toBe(field.value);
  });

  it("a swipe over the pad draws nothing and lets the page scroll, until the pad was tapped", () => {
    const { svg, field, window, draw } = pageWithPad();
    const swipe = loops(100);
    expect(svg.style.touchAction).not.toBe("none");
    draw(swipe, "touch");
    expect(field.value).toBe("");
    svg.fire("click");
    expect(svg.style.touchAction).toBe("none");
    draw(swipe, "touch");
    expect(field.value).not.toBe("");
    window.fire("pointerdown", { target: window });
    expect(svg.style.touchAction).toBe("auto");
  });

  it("a slip of the pen is no signature, and the pad says so", () => {
    const { path, field, shortage, draw } = pageWithPad();
    draw([
      [10, 10],
      [40, 30],
    ]);
    expect([field.value, shortage.hidden]).toEqual(["", false]);
    expect(path.drawn).not.toBe("");
    draw([
      [10, 100],
      [200, 120],
    ]);
    expect([field.value.startsWith("M 10 10"), shortage.hidden]).toEqual([true, true]);
  });

  it("a stroke that the browser takes back for scrolling is not kept", () => {
    const { svg, path, draw } = pageWithPad();
    draw(loops(50));
    const before = path.drawn;
    svg.fire("pointerdown", { clientX: 1, clientY: 1, pointerType: "mouse" });
    svg.fire("pointercancel");
    expect(path.drawn).toBe(before);
  });

  it("simplifies a signature of more than 880 points as a whole, up to its last point, and shows what it sends", () => {
    const drawn = loops(2_000);
    const { path, field, excess, form, draw } = pageWithPad();
    draw(drawn);
    expect(signature.safeParse(field.value).success).toBe(true);
    expect(path.drawn).toBe(field.value);
    expect(excess.hidden).toBe(true);
    expect(form.fire("submit")).toBe(true);
    const kept = pointsIn(field.value);
    const end = (points: readonly Point[]) => points.at(-1)?.map(Math.round);
    expect(end(kept)).toEqual(end(drawn));
    for (const point of drawn.filter((_, index) => index % 10 === 0)) {
      const distances = kept.slice(1).map((end, index) => distanceTo(point, kept[index] ?? end, end));
      expect(Math.min(...distances)).toBeLessThan(5); // the tolerance, and the rounding of points
    }
  });

  it("refuses to send a drawing that is too long even when simplified, until it is cleared", () => {
    const { field, excess, form, clear, draw } = pageWithPad();
    for (let stroke = 0; stroke < 900; stroke += 1)
      draw([
        [stroke % 600, 10],
        [(stroke * 7) % 600, 190],
      ]);
    expect(excess.hidden).toBe(false);
    expect(pointsIn(field.value)).toHaveLength(1_800); // nothing is cut
    expect(form.fire("submit")).toBe(false);
    clear.fire("click");
    expect([excess.hidden, field.value, form.fire("submit")]).toEqual([true, "", true]);
  });

  it("disables the buttons while an answer is sent, and enables them again when it fails", () => {
    const { window, buttons, timers } = pageWithPad();
    const rest = () => buttons.map(({ disabled }) => disabled);
    window.fire("submit", { defaultPrevented: true });
    expect(rest()).toEqual([false, false]);
    window.fire("submit");
    expect(rest()).toEqual([true, true]);
    window.fire("pageshow");
    expect(rest()).toEqual([false, false]);
    window.fire("submit");
    for (const run of timers) run();
    expect(rest()).toEqual([false, false]);
  });
});
