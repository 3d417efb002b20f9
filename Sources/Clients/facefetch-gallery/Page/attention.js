/**
 * Tells the daemon what this tab looks at, so that it goes first: said anew before it lapses, not more often than
 * anybody can look at something else, and taken back when the tab is hidden.
 */
import { send, freshKey } from './api.js';
import { currentSecret } from './session.js';
import { status } from './status.js';

/** Milliseconds between two tellings, and after which one is renewed: it lapses after 15 seconds. */
const pause = 300;
const renewal = 5000;
/** The most jobs that the daemon takes, in view and near together. */
const most = 500;

const client = `tab-${freshKey()}`;
/** @typedef {{visible: number[], near: number[]}} Seen */
/** @type {Seen} */
const nothing = { visible: [], near: [] };
/** @type {Seen} */
let seen = nothing;
let told = JSON.stringify(nothing);
let last = 0;
let timer = 0;

/**
 * This is looked at now.
 *
 * @param {number[]} visible
 * @param {number[]} near
 */
export function look(visible, near) {
  seen = { visible: visible.slice(0, most), near: near.slice(0, Math.max(0, most - visible.length)) };
  if (JSON.stringify(seen) !== told) plan(Math.max(0, last + pause - performance.now()));
}

/** Nothing is looked at any more. */
export function lookAway() {
  look([], []);
}

/** @param {number} wait */
function plan(wait) {
  clearTimeout(timer);
  timer = window.setTimeout(() => void tell(), wait);
}

async function tell() {
  const isHidden = document.visibilityState !== 'visible';
  const now = isHidden ? nothing : seen;
  const text = JSON.stringify(now);
  // What isn't looked at lapses by itself, and needs no renewal.
  const isNothing = now.visible.length + now.near.length === 0;
  if (isNothing && text === told) return;
  if (!currentSecret() || status()?.may_change === false) return;
  last = performance.now();
  told = text;
  try {
    await send('PUT', `/v1/attention/${client}`, now, {}, { keepalive: isHidden });
  } catch {
    // It is said again at the next renewal.
    told = '';
  }
  if (!isNothing) plan(renewal);
}

document.addEventListener('visibilitychange', () => void tell());
