/** Lets this tab in: by the token in the address, by what it kept, or by another tab that is in. */

import { urlOf, usePrefix } from './prefix.js';

/**
 * What lets a tab in, beside the cookie that all tabs of the browser have.
 *
 * @typedef {{secret: string, prefix: string}} Key what changing requests carry, and what is before every path
 */

/** Where the two are kept by this tab, for a reload. */
const kept = { secret: 'facefetch-secret', prefix: 'facefetch-prefix' };
/** Milliseconds for which another tab has time to answer: it may be laying out very many pictures. */
const patience = 1500;
/** @type {string | null} */
let secret = null;
let dropped = false;
/** Ends the asking of other tabs, where this one has been let in. */
let stopAsking = () => {};
const tabs = 'BroadcastChannel' in window ? new BroadcastChannel('facefetch-session') : null;

tabs?.addEventListener('message', (event) => {
  if (event.data?.ask && secret) tabs.postMessage({ secret, prefix: urlOf('') });
});

/** The secret that changing requests carry; null for a tab that has not been let in. */
export function currentSecret() {
  return secret;
}

/** Forgets a secret and a prefix that aren't right any more. */
export function dropKey() {
  secret = null;
  dropped = true;
  usePrefix('');
  for (const name of Object.values(kept)) sessionStorage.removeItem(name);
}

/** Whether this tab was in, and isn't any more. */
export function isDropped() {
  return dropped;
}

/**
 * Whether a key is this gallery's: another tab may have its own from one that has ended.
 *
 * @param {Key} key
 */
async function isRight(key) {
  // Looking at nothing changes nothing.
  const answer = await fetch(`${key.prefix}/v1/attention/tab-that-comes`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'X-Facefetch-Secret': key.secret },
    body: JSON.stringify({ visible: [], near: [] }),
  });
  const body = await answer.json().catch(() => ({}));
  return !['bad_prefix', 'bad_secret', 'no_session'].includes(body.code);
}

/** @returns {Promise<Key | null>} */
function askOtherTabs() {
  return new Promise((resolve) => {
    if (!tabs) return resolve(null);
    let checking = 0;
    let isOver = false;
    /** @param {Key | null} key */
    const end = (key) => {
      tabs.removeEventListener('message', hear);
      resolve(key);
    };
    stopAsking = () => end(null);
    /** @param {MessageEvent} event */
    const hear = async (event) => {
      const key = keyOf(event.data?.secret, event.data?.prefix);
      if (!key) return;
      checking += 1;
      if (await isRight(key).catch(() => false)) end(key);
      checking -= 1;
      if (isOver && checking === 0) end(null);
    };
    tabs.addEventListener('message', hear);
    setTimeout(() => {
      isOver = true;
      if (checking === 0) end(null);
    }, patience);
    tabs.postMessage({ ask: true });
  });
}

/** @param {Key} key */
function keep(key) {
  secret = key.secret;
  dropped = false;
  usePrefix(key.prefix);
  sessionStorage.setItem(kept.secret, key.secret);
  sessionStorage.setItem(kept.prefix, key.prefix);
  stopAsking();
}

/** What this tab has kept. */
const keptKey = () => keyOf(sessionStorage.getItem(kept.secret), sessionStorage.getItem(kept.prefix));

/**
 * A key; null where a part of it is missing, or the prefix isn't a path of this gallery.
 *
 * @param {unknown} secret
 * @param {unknown} prefix
 * @returns {Key | null}
 */
function keyOf(secret, prefix) {
  if (typeof secret !== 'string' || typeof prefix !== 'string') return null;
  return /^\/s\/[\w-]+$/.test(prefix) ? { secret, prefix } : null;
}

/** True where the address has a token in it. */
export function hasToken() {
  return /^#[0-9a-f]{32}$/.test(location.hash);
}

/**
 * Comes in.
 *
 * @returns {Promise<string | null>} why not, one sentence; null once this tab is in
 */
export async function enter() {
  return await comeIn().catch(() => 'the gallery can’t be reached');
}

/** @returns {Promise<string | null>} */
async function comeIn() {
  if (hasToken()) {
    const token = location.hash.slice(1);
    // It works once; nobody is to find it in the history.
    history.replaceState(null, '', location.pathname);
    const answer = await fetch('/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    const body = await answer.json();
    const key = answer.ok ? body : keptKey();
    if (key) keep(key);
    return key ? null : body.detail;
  }
  const found = keptKey() ?? (await askOtherTabs());
  // A link may have been opened in this tab meanwhile.
  const key = found ?? keptKey();
  if (key) keep(key);
  return key ? null : 'this tab has not been let in';
}
