/** Reads which jobs each group of the work has. */
import { get } from '../api.js';

/** @typedef {import('../jobs.js').Job} Job */
/** @typedef {{jobs: Job[], total: number}} List some jobs of a group, and how many it has */

/** The most jobs that the daemon tells of at once. */
const some = 500;

/**
 * Returns these jobs, without those that have been forgotten.
 *
 * @param {number[]} ids
 * @returns {Promise<Job[]>}
 */
export async function readJobs(ids) {
  const jobs = [];
  for (let start = 0; start < ids.length; start += some) {
    const { items } = await get(`/v1/jobs?ids=${ids.slice(start, start + some).join(',')}`);
    jobs.push(...items);
  }
  return jobs;
}

/**
 * Returns the jobs of each group. The groups are read one after the other, and jobs go on meanwhile: one that is in two
 * answers is where the later one has it, and one that was shown and is in none of them is asked for by itself.
 *
 * @param {{kind: {states: string[]}, limit: number}[]} groups
 * @param {Iterable<number>} shown the jobs that were shown until now
 */
export async function readGroups(groups, shown) {
  /** @type {List[]} */
  const lists = [];
  for (const { kind, limit } of groups) {
    const answers = await Promise.all(kind.states.map((state) => get(`/v1/jobs?state=${state}&limit=${limit}`)));
    lists.push({
      jobs: answers.flatMap(({ items }) => items),
      total: answers.reduce((sum, { total }) => sum + total, 0),
    });
  }
  const met = new Set();
  for (const list of [...lists].reverse()) {
    // Also within a group, whose states are asked for one by one.
    const here = [...list.jobs]
      .reverse()
      .filter(({ id }) => !met.has(id) && met.add(id))
      .reverse();
    list.total -= list.jobs.length - here.length;
    list.jobs = here;
  }
  for (const job of await readJobs([...shown].filter((id) => !met.has(id)))) {
    const list = lists[groups.findIndex(({ kind }) => kind.states.includes(job.state))];
    // Where there are more than are shown, it is one of those.
    if (!list || list.jobs.length < list.total) continue;
    list.jobs.push(job);
    list.total += 1;
  }
  return lists;
}
