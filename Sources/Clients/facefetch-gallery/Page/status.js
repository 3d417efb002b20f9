/** How the daemon is: asked every two seconds while somebody looks. */
import { get, onReach } from './api.js';

/**
 * @typedef {import('facefetch-api').Status} Status
 * @typedef {'gallery' | 'daemon' | 'hung' | 'session' | null} Fault
 */

/** @type {Status | null} */
let latest = null;
/** @type {Fault} */
let fault = null;
/** @type {Set<(status: Status | null, fault: Fault) => void>} */
const hearers = new Set();
let timer = 0;
let isAsking = false;
/** Milliseconds after which a daemon that says nothing is said to be stuck. */
const patience = 10_000;

/** What was heard last. */
export function status() {
  return latest;
}

/** @param {(status: Status | null, fault: Fault) => void} hear */
export function watch(hear) {
  hearers.add(hear);
  hear(latest, fault);
  return () => hearers.delete(hear);
}

/** Asks now, and then every two seconds. */
export async function ask() {
  clearTimeout(timer);
  if (isAsking) return;
  isAsking = true;
  const limit = new AbortController();
  const end = setTimeout(() => limit.abort(), patience);
  try {
    const now = await get('/v1/status', limit.signal);
    if (now?.transfers && now.jobs && now.detection) latest = now;
  } catch {
    // What can't be reached was told to `onReach`.
    if (limit.signal.aborted) fault = 'hung';
  }
  clearTimeout(end);
  isAsking = false;
  tell();
  if (document.visibilityState === 'visible') timer = window.setTimeout(() => void ask(), fault ? 1000 : 2000);
}

/** Tells all; what one of them makes of it is no reason for the others to hear nothing. */
function tell() {
  for (const hear of [...hearers]) {
    try {
      hear(latest, fault);
    } catch (error) {
      reportError(error);
    }
  }
}

export function begin() {
  onReach((now) => {
    const was = fault;
    fault = now;
    if (was !== now) tell();
  });
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void ask());
  void ask();
}
