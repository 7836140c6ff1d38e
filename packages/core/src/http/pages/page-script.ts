import { createHash } from "node:crypto";
import { MAX_SIGNATURE } from "../../budgets/offer/page-parts.js";
import { type Html, html } from "./html.js";

/** Of the 600 by 200 units of the pad: how far a simplified line may be from the drawn one. */
const MOST_TOLERANCE = 4;
/** The length of all lines, below which a drawing is a slip and no signature. */
const LEAST_LENGTH = 150;
/** A simplified drawing leaves room for further points, so that it is not simplified again at each of them. */
const ROOM_AFTER = (MAX_SIGNATURE * 3) / 4;

/**
 * Guards the buttons of the page against a second click, shows the bar with the total while its card is out of sight, and
 * draws a signature by pointer into the path of the pad. The
 * pad works in its own coordinates, 600 by 200. A drawing that is longer than the service takes is simplified as a whole,
 * in steps, and the path shows what will be sent. One that is still too long is refused with a note, never cut.
 */
export const PAGE_SCRIPT = `"use strict";
{
  const buttons = document.querySelectorAll("form [type=submit]");
  const setSending = (isSending) => buttons.forEach((button) => { button.disabled = isSending; });
  addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    setSending(true);
    setTimeout(setSending, 10000, false);
  });
  addEventListener("pageshow", () => setSending(false));
}
{
  const bar = document.querySelector(".bar");
  if (bar !== null && "IntersectionObserver" in window) {
    const inSight = new Set();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) inSight[isIntersecting ? "add" : "delete"](target);
      bar.hidden = inSight.size > 0;
    });
    for (const part of document.querySelectorAll(".summary, #accept")) observer.observe(part);
  }
}
{
  const pad = document.getElementById("signature-pad");
  const drawOn = ([svg, path, field, clear, excess, shortage, hint]) => {
    let [strokes, tolerance, text, isReady, isDrawing] = [[], 0, "", false, false];
    const setReady = (ready) => {
      isReady = ready;
      svg.style.touchAction = ready ? "none" : "auto";
      hint.hidden = ready || text !== "";
    };
    const length = () => {
      let sum = 0;
      for (const stroke of strokes) {
        for (let at = 1; at < stroke.length; at += 1) {
          sum += Math.hypot(stroke[at][0] - stroke[at - 1][0], stroke[at][1] - stroke[at - 1][1]);
        }
      }
      return sum;
    };
    const point = (event) => {
      const { left, top, width, height } = svg.getBoundingClientRect();
      const within = (value, most) => Math.round(Math.max(0, Math.min(most, value)));
      return [within(((event.clientX - left) / width) * 600, 600), within(((event.clientY - top) / height) * 200, 200)];
    };
    const distance = ([x, y], [startX, startY], [endX, endY]) => {
      const [alongX, alongY] = [endX - startX, endY - startY];
      const square = alongX * alongX + alongY * alongY;
      const share = square === 0 ? 0 : ((x - startX) * alongX + (y - startY) * alongY) / square;
      const nearest = Math.max(0, Math.min(1, share));
      return Math.hypot(x - startX - nearest * alongX, y - startY - nearest * alongY);
    };
    const simplified = (points) => {
      if (tolerance === 0) return points;
      const kept = new Set([0, points.length - 1]);
      for (const parts = [[0, points.length - 1]]; parts.length > 0; ) {
        const [from, to] = parts.pop();
        let [farthest, most] = [null, tolerance];
        for (let index = from + 1; index < to; index += 1) {
          const far = distance(points[index], points[from], points[to]);
          if (far > most) [farthest, most] = [index, far];
        }
        if (farthest === null) continue;
        kept.add(farthest);
        parts.push([from, farthest], [farthest, to]);
      }
      return points.filter((_, index) => kept.has(index));
    };
    const textOf = (points) => simplified(points).map(([x, y], index) => (index === 0 ? "M " : "L ") + x + " " + y).join(" ");
    const shorten = () => {
      for (; ; tolerance = tolerance === 0 ? 0.5 : tolerance * 2) {
        text = strokes.map(textOf).join(" ");
        if (text.length <= ${ROOM_AFTER} || tolerance === ${MOST_TOLERANCE}) break;
      }
      excess.hidden = text.length <= ${MAX_SIGNATURE};
    };
    const show = () => {
      if (text.length > ${MAX_SIGNATURE} && excess.hidden) shorten();
      path.setAttribute("d", text);
      shortage.hidden = true;
      const isEnough = length() >= ${LEAST_LENGTH};
      field.value = isEnough ? text : "";
    };
    const redraw = () => {
      text = strokes.map(textOf).join(" ");
      show();
    };
    svg.addEventListener("click", () => setReady(true));
    addEventListener("pointerdown", (event) => {
      if (!pad.contains(event.target)) setReady(false);
    });
    svg.addEventListener("pointercancel", () => {
      if (!isDrawing) return;
      isDrawing = false;
      strokes.pop();
      redraw();
    });
    svg.addEventListener("pointerup", () => {
      isDrawing = false;
      shortage.hidden = field.value !== "" || text === "";
    });
    svg.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch" && !isReady) return;
      hint.hidden = true;
      isDrawing = true;
      svg.setPointerCapture(event.pointerId);
      const start = point(event);
      strokes.push([start]);
      text += (text === "" ? "M " : " M ") + start.join(" ");
      show();
      event.preventDefault();
    });
    svg.addEventListener("pointermove", (event) => {
      if (!isDrawing) return;
      const [stroke, next] = [strokes.at(-1), point(event)];
      if (stroke.at(-1).join() === next.join()) return;
      stroke.push(next);
      text += " L " + next.join(" ");
      show();
    });
    clear.addEventListener("click", () => {
      [strokes, tolerance, text] = [[], 0, ""];
      excess.hidden = true;
      show();
      setReady(isReady);
    });
    field.form.addEventListener("submit", (event) => {
      if (excess.hidden) return;
      event.preventDefault();
      excess.scrollIntoView();
    });
    pad.hidden = false;
  };
  if (pad !== null) drawOn(["svg.pad-field", "svg.pad-field path", "input", "button", ".excess", ".shortage", ".hint"].map((part) => pad.querySelector(part)));
}
`;

const SCRIPT_DIGEST = createHash("sha256").update(PAGE_SCRIPT).digest("base64");

/** `base` is the path of all links. The digest of the content lets only this script run. */
export function pageScript(base: string): Html {
  return html`<script src="${base}/signature.js" integrity="sha256-${SCRIPT_DIGEST}" defer></script>`;
}
