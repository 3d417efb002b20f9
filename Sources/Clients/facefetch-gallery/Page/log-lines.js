/** A log of events as text, which follows its end until somebody scrolls up. */
import { make } from './dom.js';
import { count } from './words.js';

/** @typedef {import('./feed-source.js').JobEvent} JobEvent */
/** @typedef {{text: string, failed: boolean, note: boolean, batch: number | null, isStep: boolean}} Line */

/** The most lines on the page while it follows the end, and while somebody reads above that; and the most in mind. */
export const most = 600;
const mostAbove = 3000;
const kept = 5000;

export class LogLines {
  /**
   * @param {string} look a class
   * @param {string} label
   * @param {boolean} [isWhole] whether each line tells its time of day and its batch, too
   */
  constructor(look, label, isWhole = false) {
    this.element = make('div', { class: `log ${look}`, role: 'log', 'aria-label': label, tabindex: 0 });
    this.isWhole = isWhole;
    /** @type {Line[]} */
    this.lines = [];
    this.filter = '';
    /** @type {number | null} the batch of which lines are shown only */
    this.batch = null;
    this.hasSteps = true;
    this.frame = 0;
    /** @type {Line[]} */
    this.fresh = [];
  }

  /** @param {JobEvent[]} events */
  add(events) {
    for (const event of events) {
      const text = `${seconds(event.elapsed).padStart(9)}  ${event.message}`;
      this.put({
        text: this.isWhole ? `${timeOfDay(event.time)}  ${`b${event.batch}`.padEnd(5)}${text}` : text,
        failed: /failed/.test(event.kind),
        note: false,
        batch: event.batch,
        isStep: event.kind === 'progressed' && (event.percent ?? 0) < 100,
      });
    }
  }

  /** @param {string} text */
  note(text) {
    this.put({ text, failed: false, note: true, batch: null, isStep: false });
  }

  /** @param {number} number */
  omitted(number) {
    this.note(
      number > 0
        ? `${count(number, 'line')} not shown here; the event log has them all`
        : 'some lines are not shown here; the event log has them all',
    );
  }

  /** @param {Line} line */
  put(line) {
    this.lines.push(line);
    if (this.lines.length > kept * 1.2) this.lines = this.lines.slice(-kept);
    this.fresh.push(line);
    if (this.fresh.length > kept * 1.2) this.fresh = this.fresh.slice(-kept);
    if (!this.frame) this.frame = requestAnimationFrame(() => this.draw());
  }

  /**
   * Shows some of the lines only: those with a text, those of one batch, those that are no steps on the way.
   *
   * @param {{text?: string, batch?: number | null, hasSteps?: boolean}} to
   */
  narrow({ text = '', batch = null, hasSteps = true }) {
    this.filter = text.toLowerCase();
    this.batch = batch;
    this.hasSteps = hasSteps;
    this.element.replaceChildren();
    this.fresh = this.lines.slice();
    this.draw();
  }

  clear() {
    this.lines = [];
    this.fresh = [];
    this.element.replaceChildren();
  }

  /** What is shown, as text. */
  get text() {
    return this.lines
      .filter((line) => this.matches(line))
      .map((line) => line.text)
      .join('\n');
  }

  end() {
    cancelAnimationFrame(this.frame);
  }

  /** @param {Line} line */
  matches(line) {
    if (line.isStep && !this.hasSteps) return false;
    if (this.batch !== null && !line.note && line.batch !== this.batch) return false;
    return !this.filter || line.text.toLowerCase().includes(this.filter);
  }

  draw() {
    this.frame = 0;
    const { element } = this;
    const follows = element.scrollHeight - element.scrollTop - element.clientHeight < 30;
    const room = follows ? most : mostAbove;
    const fresh = this.fresh.filter((line) => this.matches(line)).slice(-room);
    this.fresh = [];
    if (fresh.length === 0) return;
    // Nobody can listen to more than some lines a second.
    element.setAttribute('aria-live', fresh.length > 10 ? 'off' : 'polite');
    element.append(
      ...fresh.map((line) => make('p', { class: line.note ? 'note' : line.failed ? 'failed' : null }, line.text)),
    );
    const { scrollTop, scrollHeight } = element;
    while (element.childElementCount > room) element.firstElementChild?.remove();
    // What somebody reads stays where it is, whatever goes above it.
    element.scrollTop = follows ? element.scrollHeight : scrollTop - (scrollHeight - element.scrollHeight);
  }
}

/**
 * The time of day as the person's own clock shows it.
 *
 * @param {string} text RFC 3339
 */
function timeOfDay(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return '        ';
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

/**
 * Seconds as the event log has them: cut off, not rounded.
 *
 * @param {number} elapsed
 */
function seconds(elapsed) {
  return (Math.trunc(elapsed * 1000 + 0.0005) / 1000).toFixed(3);
}
