/** How the daemon is: asked every two seconds while somebody looks. */
import { get, onReach } from './api.js';

/**
 * @typedef {{version: string, state: string, uptime: number, jobs: Record<string, number>, transfers: {active: number, bytes_per_second: number}, detection: {gate: string, active: number, waiting: number}, disk: {free_bytes: number | null}, holds?: {kind: string, reason: string, until?: string | null}[], may_change?: boolean}} Status
 * @typedef {'gallery' | 'daemon' | 'session' | null} Fault
 */

/** @type {Status | null} */
let latest = null;
/** @type {Fault} */
let fault = null;
/** @type {Set<(status: Status | null, fault: Fault) => void>} */
const hearers = new Set();
let timer = 0;
let isAsking = false;

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
  try {
    latest = await get('/v1/status');
  } catch {
    // What can't be reached was told to `onReach`.
  }
  isAsking = false;
  for (const hear of hearers) hear(latest, fault);
  if (document.visibilityState === 'visible') timer = window.setTimeout(() => void ask(), fault ? 1000 : 2000);
}

export function begin() {
  onReach((now) => {
    const was = fault;
    fault = now;
    if (was !== now) for (const hear of hearers) hear(latest, fault);
  });
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void ask());
  void ask();
}
