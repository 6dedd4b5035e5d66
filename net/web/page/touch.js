/** What fingers do on the terminal: browsers make clicks of taps; a swipe is the wheel, a pinch the size of letters. */

import { screen } from "./elements.js";
import { resizeLetters, term } from "./terminal.js";

let [y, begun, size] = [0, 0, 0];
const letters = () => term.options.fontSize ?? 0;

/** @type {(touches: TouchList) => number} */
const apart = ({ 0: one, 1: two }) =>
  one && two ? Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY) : 0;

screen.ontouchstart = ({ touches }) => {
  [y, begun, size] = [touches[0]?.clientY ?? 0, apart(touches), letters()];
};

screen.ontouchmove = ({ target, touches: { 0: finger }, touches }) => {
  if (begun) {
    const steps = apart(touches) && Math.trunc((size * apart(touches)) / begun - letters());
    if (steps) resizeLetters(steps);
  } else if (finger && Math.abs(finger.clientY - y) > 1.5 * letters()) {
    const { clientX, clientY } = finger;
    const [deltaY, deltaMode] = [Math.sign(y - clientY), WheelEvent.DOM_DELTA_LINE];
    const turned = { deltaY, deltaMode, clientX, clientY, bubbles: true, cancelable: true };
    target?.dispatchEvent(new WheelEvent("wheel", turned));
    y = clientY;
  }
};
