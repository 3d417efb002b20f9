/**
 * Where one is, as the address has it behind its #: a view, the picture that is open, and what was chosen there. A
 * reload comes back to it, and so does Back.
 */
import { withQuery } from './query.js';

/** @typedef {{view: string, picture: number | null, query: URLSearchParams}} Place */

/** @param {string} hash */
export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  const [, view = 'pictures', picture = ''] = path.split('/');
  return { view, picture: /^[1-9]\d{0,14}$/.test(picture) ? Number(picture) : null, query: new URLSearchParams(query) };
}

/** Where one is now. */
export const here = () => parse(location.hash);

/**
 * @param {string} view
 * @param {URLSearchParams} query
 * @param {number | null} [picture]
 */
export const address = (view, query, picture = null) =>
  `#${withQuery(picture === null ? `/${view}` : `/${view}/${picture}`, query)}`;

/** Which field has been changed last: while somebody types into one, Back doesn't go letter by letter. */
let lastField = '';
/** @type {Set<(view: string) => void>} */
const hearers = new Set();

/**
 * Hears of views whose address has changed.
 *
 * @param {(view: string) => void} tell
 */
export function onChange(tell) {
  hearers.add(tell);
}

/** Somebody has gone elsewhere: what is chosen next is another place, whichever field it is in. */
export function arrived() {
  lastField = '';
}

/**
 * Takes down what has been chosen in this view; nothing happens where the address has it already.
 *
 * @param {string} view
 * @param {URLSearchParams} query
 * @param {string} field where it was chosen
 */
export function choose(view, query, field) {
  const now = address(view, query);
  if (now === location.hash || here().view !== view) return;
  if (field === lastField) history.replaceState(null, '', now);
  else history.pushState(null, '', now);
  lastField = field;
  for (const tell of hearers) tell(view);
}

/**
 * Takes down where the wall stands, without a place of its own in the history.
 *
 * @param {import('./wall/wall.js').Anchor | null} anchor
 */
export function stand(anchor) {
  const { anchor: was = null, ...state } = history.state ?? {};
  if (JSON.stringify(was) === JSON.stringify(anchor)) return;
  history.replaceState(anchor ? { ...state, anchor } : state, '');
}

/**
 * Where the wall stood when one was here last.
 *
 * @returns {import('./wall/wall.js').Anchor | null}
 */
export function stood() {
  const anchor = history.state?.anchor;
  return Number.isInteger(anchor?.id) && Number.isFinite(anchor.from) ? anchor : null;
}
