/** What is going on, in a few words at the top of every view. */
import { make, say, set } from './dom.js';
import { count, size } from './words.js';

/** @typedef {import('./status.js').Status} Status */

/**
 * The parts of the line, in the order in which they matter.
 *
 * @param {Status} status
 */
export function parts({ transfers, detection, jobs, disk }) {
  const waiting = jobs.queued + jobs.waiting;
  const looking = detection.active + detection.waiting;
  return {
    failed: jobs.failed > 0 ? `${jobs.failed.toLocaleString('en')} failed` : '',
    active: transfers.active > 0 ? `${count(transfers.active, 'download')}, ${size(transfers.bytes_per_second)}/s` : '',
    waiting: waiting > 0 ? `${waiting.toLocaleString('en')} to come` : '',
    looking: looking > 0 ? `${count(looking, 'picture')} to look at` : '',
    free: disk.free_bytes === null ? '' : `${size(disk.free_bytes)} free`,
  };
}

/**
 * @param {HTMLElement} place a link to where there is more to read
 */
export function pulse(place) {
  /** @type {Map<string, HTMLElement>} */
  const spans = new Map();
  return {
    /**
     * @param {Status} status
     * @param {boolean} isOld whether somebody can't be reached to say how it is now
     */
    show(status, isOld) {
      place.classList.toggle('stale', isOld);
      const now = parts(status);
      for (const [name, text] of Object.entries(now)) {
        let span = spans.get(name);
        if (!span) {
          span = make('span', { class: name });
          spans.set(name, span);
          place.append(span);
        }
        say(span, text);
        span.hidden = text === '';
      }
      const words = Object.values(now).filter(Boolean).join(', ');
      set(place, 'aria-label', words ? `Work: ${words}` : 'Work');
    },
  };
}
