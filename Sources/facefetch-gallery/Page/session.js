/** Lets this tab in: by the token in the address, by what it kept, or by another tab that is in. */

const key = 'facefetch-secret';
/** @type {string | null} */
let secret = null;
const tabs = 'BroadcastChannel' in window ? new BroadcastChannel('facefetch-session') : null;

tabs?.addEventListener('message', (event) => {
  if (event.data?.ask && secret) tabs.postMessage({ secret });
});

/** The secret that changing requests carry; null for a tab that may only look. */
export function currentSecret() {
  return secret;
}

/** @returns {Promise<string | null>} */
function askOtherTabs() {
  return new Promise((resolve) => {
    if (!tabs) return resolve(null);
    const timer = setTimeout(() => resolve(null), 300);
    /** @param {MessageEvent} event */
    const hear = (event) => {
      if (typeof event.data?.secret !== 'string') return;
      clearTimeout(timer);
      tabs.removeEventListener('message', hear);
      resolve(event.data.secret);
    };
    tabs.addEventListener('message', hear);
    tabs.postMessage({ ask: true });
  });
}

/** @param {string} value */
function keep(value) {
  secret = value;
  sessionStorage.setItem(key, value);
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
  secret = sessionStorage.getItem(key) ?? (await askOtherTabs());
  if (secret) {
    keep(secret);
    return null;
  }
  return 'this tab has not been let in';
}
