/** Lists, read by a worker, so that the page goes on however long one is. */

/** @typedef {import('./list-worker.js').Taken} Taken */
/** @typedef {import('./list-worker.js').Refused} Refused */
/** @typedef {import('./list-worker.js').Ready} Ready */
/** @typedef {{name?: string, line: number} | undefined} Place */

/** @type {Worker | null} */
let worker = null;
let last = 0;
/** The number of the list that was taken in last; a worker that is begun anew begins no numbers anew. */
let taken = 0;
/** @type {Map<number, (answer: any) => void>} */
const waiting = new Map();

/**
 * @param {unknown} question
 * @returns {Promise<any>}
 */
function ask(question) {
  if (!worker) {
    worker = new Worker('/list-worker.js', { type: 'module' });
    worker.addEventListener('message', (event) => {
      waiting.get(event.data.id)?.(event.data.answer);
      waiting.delete(event.data.id);
    });
    worker.addEventListener('error', () => {
      // It ran out of memory, or the gallery has ended.
      for (const answer of waiting.values()) answer({ refused: 'unreadable' });
      waiting.clear();
      worker = null;
    });
  }
  last += 1;
  const id = last;
  const there = worker;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    there.postMessage({ id, question });
  });
}

/**
 * Takes a file in.
 *
 * @param {File} file
 * @returns {Promise<Taken | Refused>}
 */
export function takeIn(file) {
  taken += 1;
  return ask({ file, number: taken });
}

/**
 * Forgets lists that were taken in, which take as much memory as they are long.
 *
 * @param {number[]} gone
 */
export function forget(gone) {
  if (worker && gone.length > 0) void ask({ gone });
}

/**
 * What is posted of a text and of lists that were taken in, at most so many items and bytes a batch.
 *
 * @param {string} text
 * @param {number[]} list
 * @param {number} most
 * @param {number} bytes
 * @returns {Promise<Ready | Refused>}
 */
export const prepare = (text, list, most, bytes) => ask({ text, list, most, bytes });

/**
 * Where items of a batch that was prepared last are from.
 *
 * @param {number} batch
 * @param {number[]} at
 * @returns {Promise<Place[]>}
 */
export const whence = (batch, at) => ask({ batch, places: at });
