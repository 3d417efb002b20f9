/** Lets this tab in, and asks for the first documents, while the rest of the page is still on its way. */
import { readFirst } from './documents.js';
import { enter, hasToken } from './session.js';

// A list that is still short would be scrolled to its end.
history.scrollRestoration = 'manual';

// Another view, or some of the pictures only, begins otherwise.
const showsPictures = hasToken() || !/^#\/((work|add|log)\b|.*\?)/.test(location.hash);

/** Why this tab hasn't been let in; null once it is. */
export const entered = enter();

/** @type {Promise<import('./documents.js').Documents | null> | null} */
let first = showsPictures ? entered.then((reason) => (reason === null ? readFirst() : null)).catch(() => null) : null;

/** The first documents; null if nobody has asked for them yet, or they have been taken: they are soon out of date. */
export function takeFirst() {
  const taken = first;
  first = null;
  return taken;
}
