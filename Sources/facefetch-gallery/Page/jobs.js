/** Jobs as they were last heard of, fetched some at a time for who shows them. */
import { get } from './api.js';

/**
 * @typedef {{x: number, y: number, width: number, height: number, confidence: number}} Face
 * @typedef {{outcome: string, face_count: number | null, faces: Face[], width?: number, height?: number, format?: string, engine: string, parameters: string, seconds: number, shared_from?: number | null}} Detection
 * @typedef {{id: number, batch: number, url: string, state: string, name: string, path: string | null, bytes: number, total_bytes: number | null, percent: number | null, bytes_per_second: number | null, attempts: number, sha256: string | null, waiting: {code: string, reason: string, until: string} | null, error: {code: string, message: string} | null, detection: Detection | null, priority: number, created_at: string, finished_at: string | null, elapsed: number, source?: string | null, meta?: Record<string, unknown> | null}} Job
 */

/** The most jobs that are kept in mind, and asked for at once. */
const most = 600;
const some = 40;
/** @type {Map<number, Job>} */
const known = new Map();
/** @type {Map<number, Promise<Job | null>>} */
const asked = new Map();
/** @type {number[]} */
let waiting = [];
let running = 0;

/**
 * A job that is known already.
 *
 * @param {number} id
 */
export function job(id) {
  return known.get(id) ?? null;
}

/** @param {Job} job */
export function keep(job) {
  known.delete(job.id);
  known.set(job.id, job);
  if (known.size > most) known.delete(/** @type {number} */ (known.keys().next().value));
  return job;
}

/**
 * Forgets what was heard of a job: something has happened to it.
 *
 * @param {number} id
 */
export function forget(id) {
  known.delete(id);
}

/**
 * A job, also one that is not known yet.
 *
 * @param {number} id
 * @returns {Promise<Job | null>}
 */
export function load(id) {
  const there = known.get(id);
  if (there) return Promise.resolve(there);
  const before = asked.get(id);
  if (before) return before;
  const promise = new Promise((/** @type {(job: Job | null) => void} */ resolve) => {
    waiting.push(id);
    // Newest first, and no more than anybody can still be looking at.
    waiting = waiting.slice(-some);
    const run = async () => {
      running += 1;
      try {
        resolve(keep(await get(`/v1/jobs/${id}`)));
      } catch {
        resolve(null);
      } finally {
        running -= 1;
        asked.delete(id);
      }
    };
    const turn = () => {
      if (!waiting.includes(id)) {
        asked.delete(id);
        return resolve(null);
      }
      if (running >= 3) return void setTimeout(turn, 20);
      waiting = waiting.filter((other) => other !== id);
      void run();
    };
    turn();
  });
  asked.set(id, promise);
  return promise;
}
