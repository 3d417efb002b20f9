/** Jobs as they were last heard of, fetched some at a time for who shows them. */
import { get } from './api.js';
import { withQuery } from './query.js';

/** @typedef {import('facefetch-api').Face} Face */
/** @typedef {import('facefetch-api').Detection} Detection */
/** @typedef {import('facefetch-api').Job} Job */

/** The most jobs that are kept in mind, and that the daemon answers at once. */
const most = 600;
const some = 500;
/** Milliseconds in which those who ask are gathered. */
const pause = 20;
/** @type {Map<number, Job>} */
const known = new Map();
/** @typedef {{promise: Promise<Job | null>, resolve: (job: Job | null) => void}} Wish */
/** @type {Map<number, Wish>} */
const wanted = new Map();
/** @type {Map<number, Wish>} those that the daemon is being asked for */
let asked = new Map();
/** @type {Set<number>} those of them to which something has happened meanwhile */
const outdated = new Set();
let isAsking = false;

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
  if (asked.has(id)) outdated.add(id);
}

/** Forgets all: something has happened, and nobody says to which. */
export function forgetAll() {
  for (const id of [...known.keys(), ...asked.keys()]) forget(id);
}

/**
 * A job, also one that is not known yet; null where there is none, or nobody answers.
 *
 * @param {number} id
 * @returns {Promise<Job | null>}
 */
export function load(id) {
  const there = known.get(id);
  if (there) return Promise.resolve(there);
  const before = wanted.get(id);
  if (before) return before.promise;
  /** @type {(job: Job | null) => void} */
  let resolve = () => {};
  const promise = new Promise((/** @type {(job: Job | null) => void} */ take) => {
    resolve = take;
  });
  wanted.set(id, { promise, resolve });
  if (!isAsking) {
    isAsking = true;
    setTimeout(() => void ask(), pause);
  }
  return promise;
}

/** Asks for what is wanted, all in one request. */
async function ask() {
  // The newest, and no more than anybody can still be looking at.
  asked = new Map([...wanted].slice(-some));
  for (const [id, { resolve }] of wanted) if (!asked.has(id)) resolve(null);
  wanted.clear();
  try {
    const { items } = await get(withQuery('/v1/jobs', { ids: [...asked.keys()].join(',') }));
    for (const job of items) if (!outdated.has(job.id)) asked.get(keep(job).id)?.resolve(job);
    for (const id of outdated) askAgain(id);
  } catch {
    // That nobody answers is said at the top of the page.
  }
  // Who asked twice, or for one that isn't there, has an answer as well.
  for (const { resolve } of asked.values()) resolve(null);
  asked.clear();
  outdated.clear();
  isAsking = wanted.size > 0;
  if (isAsking) void ask();
}

/**
 * Asks once more for one of which the answer was too old.
 *
 * @param {number} id
 */
function askAgain(id) {
  const wish = asked.get(id);
  if (!wish) return;
  asked.delete(id);
  const other = wanted.get(id);
  if (other) void other.promise.then(wish.resolve);
  else wanted.set(id, wish);
}
