/** What people call a batch: when it was added, how many files it has, and where they are from. */
import { get } from '../api.js';
import { withQuery } from '../query.js';
import { clock, count } from '../words.js';

/** @typedef {import('facefetch-api').Batch} Batch */

/** How many jobs tell where a batch is from. */
const some = 20;
/** The most batches of which that is kept in mind. */
const most = 500;
const host = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]+)/i;
/** @type {Map<number, string>} */
const known = new Map();

/**
 * Learns where batches are from; that doesn't change any more.
 *
 * @param {Batch[]} batches
 */
export async function learnOrigins(batches) {
  await Promise.all(
    batches.map(async ({ id }) => {
      if (known.has(id)) return;
      const { items } = await get(withQuery('/v1/jobs', { batch: id, limit: some }));
      if (known.size >= most) known.clear();
      known.set(id, origin(items));
    }),
  );
}

/** @param {import('../jobs.js').Job[]} jobs */
function origin(jobs) {
  if (jobs[0]?.source) return `source ${jobs[0].source}`;
  const hosts = new Set(jobs.map((job) => host.exec(job.url)?.[1] ?? '').filter(Boolean));
  const [first = ''] = hosts;
  return hosts.size > 1 ? `${first} and other hosts` : first;
}

/**
 * “14 files from example.org, 18:02”, as far as that is known.
 *
 * @param {Batch} batch
 */
export function nameOf(batch) {
  const from = known.get(batch.id);
  return `${count(batch.job_count, 'file')}${from ? ` from ${from}` : ''}, ${clock(batch.created_at)}`;
}
