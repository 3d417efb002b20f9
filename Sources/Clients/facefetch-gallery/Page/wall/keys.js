/** Where the keyboard goes on the wall. */
import { gap } from './rows.js';

/**
 * The place that a key leads to; null for a key that leads nowhere.
 *
 * @param {KeyboardEvent} event
 * @param {import('./rows.js').Rows} rows
 * @param {number} place
 * @param {number} last
 */
export function next(event, rows, place, last) {
  if (event.altKey || event.metaKey || rows.count === 0) return null;
  const page = Math.max(1, Math.floor(innerHeight / (rows.high[0] + gap)) - 1);
  /** @type {Record<string, () => number>} */
  const moves = {
    ArrowLeft: () => place - 1,
    ArrowRight: () => place + 1,
    ArrowUp: () => rows.neighbour(place, -1),
    ArrowDown: () => rows.neighbour(place, 1),
    PageUp: () => rows.neighbour(place, -page),
    PageDown: () => rows.neighbour(place, page),
    Home: () => 0,
    End: () => last,
  };
  const move = moves[event.key];
  return move ? Math.min(last, Math.max(0, move())) : null;
}
