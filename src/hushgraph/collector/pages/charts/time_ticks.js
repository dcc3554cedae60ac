/** Round moments on an axis of time, in the reader's own time zone. */

const [MINUTE, HOUR, DAY] = [60, 3600, 86400];
const STEPS = [1, 2, 5, 10, 15, 30]
  .map((minutes) => minutes * MINUTE)
  .concat([1, 2, 3, 6, 12].map((hours) => hours * HOUR))
  .concat([1, 2, 7, 14, 28, 91, 182, 364].map((days) => days * DAY));

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/** @returns {{at: number, text: string}[]} at most this many, in seconds */
export function timeTicks(first, last, most) {
  const step =
    STEPS.find((one) => (last - first) / one <= most - 0.5) ?? Math.ceil((last - first) / most / DAY) * DAY;
  const shift = -60 * new Date(1000 * first).getTimezoneOffset();
  const start = Math.ceil((first + shift) / step) * step - shift;
  const marks = [];
  for (let at = start; at <= last; at += step) marks.push({ at, text: text(at, step, shift) });
  return marks;
}

// Where the day changes between two marks of hours, the date says so.
function text(at, step, shift) {
  const midnight = (((at + shift) % DAY) + DAY) % DAY === 0;
  return (step >= DAY || midnight ? day : clock).format(new Date(1000 * at));
}
