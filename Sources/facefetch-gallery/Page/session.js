/** Lets this tab in: by the token in the address, by what it kept, or by another tab that is in. */

const key = 'facefetch-secret';
/** Milliseconds for which another tab has time to answer: it may be laying out very many pictures. */
const patience = 1500;
/** @type {string | null} */
let secret = null;
let dropped = false;
/** Ends the asking of other tabs, where this one has been let in. */
let stopAsking = () => {};
const tabs = 'BroadcastChannel' in window ? new BroadcastChannel('facefetch-session') : null;

tabs?.addEventListener('message', (event) => {
  if (event.data?.ask && secret) tabs.postMessage({ secret });
});

/** The secret that changing requests carry; null for a tab that may only look. */
export function currentSecret() {
  return secret;
}

/** Forgets a secret that isn't right any more. */
export function dropSecret() {
  secret = null;
  dropped = true;
  sessionStorage.removeItem(key);
}

/** Whether this tab was in, and isn't any more. */
export function isDropped() {
  return dropped;
}

/**
 * Whether a secret is this gallery's: another tab may have its own from one that has ended.
 *
 * @param {string} value
 */
async function isRight(value) {
  // Looking at nothing changes nothing.
  const answer = await fetch('/v1/attention/tab-that-comes', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'X-Facefetch-Secret': value },
    body: JSON.stringify({ visible: [], near: [] }),
  });
  const body = await answer.json().catch(() => ({}));
  return body.code !== 'bad_secret' && body.code !== 'no_session';
}

/** @returns {Promise<string | null>} */
function askOtherTabs() {
  return new Promise((resolve) => {
    if (!tabs) return resolve(null);
    let checking = 0;
    let isOver = false;
    /** @param {string | null} value */
    const end = (value) => {
      tabs.removeEventListener('message', hear);
      resolve(value);
    };
    stopAsking = () => end(null);
    /** @param {MessageEvent} event */
    const hear = async (event) => {
      const value = event.data?.secret;
      if (typeof value !== 'string') return;
      checking += 1;
      if (await isRight(value).catch(() => false)) end(value);
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

/** @param {string} value */
function keep(value) {
  secret = value;
  dropped = false;
  sessionStorage.setItem(key, value);
  stopAsking();
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
    if (answer.ok) {
      keep(body.secret);
      return null;
    }
    secret = sessionStorage.getItem(key);
    return secret ? null : body.detail;
  }
  const found = sessionStorage.getItem(key) ?? (await askOtherTabs());
  // A link may have been opened in this tab meanwhile.
  secret = found ?? sessionStorage.getItem(key);
  if (secret) {
    keep(secret);
    return null;
  }
  return 'this tab has not been let in';
}
