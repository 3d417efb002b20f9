/** What happens at the daemon, for the views of this tab. */
import { Feed } from './feed-source.js';
import { urlOf } from './prefix.js';

/** @typedef {import('./feed-source.js').JobEvent} JobEvent */
/** @typedef {import('./feed-source.js').News} News */

/** The events that are kept for a view that opens. */
const kept = 1000;
/** @type {JobEvent[]} */
let recent = [];
/** How many came before those and are kept no more; of some nobody says how many there were. */
let before = 0;
let isBeforeKnown = true;
/** @type {(store: string) => void} */
let tellStore = () => {};
let last = 0;
/** @type {Set<(news: News) => void>} */
const hearers = new Set();
let isConnected = false;
/** @type {Set<() => void>} */
const waiting = new Set();

/** @param {News} news */
function hear(news) {
  let fresh = news;
  if ('events' in news) {
    // A tab that comes back hears of some again.
    const events = news.events.filter((event) => event.id > last);
    if (events.length === 0) return;
    last = events[events.length - 1].id;
    before += Math.max(0, recent.length + events.length - kept);
    recent = recent.concat(events).slice(-kept);
    fresh = { events };
  }
  if ('omitted' in news) {
    before += news.omitted;
    isBeforeKnown &&= news.omitted > 0;
  }
  if ('connected' in news) isConnected = news.connected;
  for (const tell of [...hearers]) tell(fresh);
  if (!isConnected) return;
  for (const go of waiting) go();
  waiting.clear();
}

/**
 * Resolves once events come, or after so many milliseconds: what is read then isn't out of date unheard.
 *
 * @param {number} most
 */
export function connected(most) {
  if (isConnected) return Promise.resolve();
  return new Promise((resolve) => {
    waiting.add(() => resolve(undefined));
    setTimeout(resolve, most);
  });
}

/** How many events aren't among the last ones; null where some are missing that nobody has counted. */
export function omittedEvents() {
  return isBeforeKnown ? before : null;
}

/**
 * Says which store the daemon has, so that no events of another one are waited for.
 *
 * @param {string} store
 */
export function heedStore(store) {
  tellStore(store);
}

/**
 * Hears of all news until the function that comes back is called.
 *
 * @param {(news: News) => void} tell
 */
export function follow(tell) {
  hearers.add(tell);
  return () => hearers.delete(tell);
}

/** The last events, oldest first. */
export function recentEvents() {
  return recent;
}

/** Begins to follow, and rests while nobody looks at this tab. */
export function begin() {
  /** @type {(on: boolean) => void} */
  let turn;
  if ('SharedWorker' in window) {
    const worker = new SharedWorker('/feed-worker.js', { type: 'module', name: urlOf('') });
    worker.port.addEventListener('message', (event) => hear(event.data));
    worker.port.start();
    tellStore = (store) => worker.port.postMessage(`store ${store}`);
    turn = (on) => worker.port.postMessage(on ? 'on' : 'off');
  } else {
    const feed = new Feed(hear);
    turn = (on) => (on ? void feed.start() : feed.stop());
  }
  const look = () => turn(document.visibilityState === 'visible');
  document.addEventListener('visibilitychange', look);
  window.addEventListener('pagehide', () => turn(false));
  window.addEventListener('pageshow', (event) => event.persisted && look());
  look();
}
