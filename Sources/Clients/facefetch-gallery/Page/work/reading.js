/** Reads which jobs each group of the work has. */
import { get } from '../api.js';
import { withQuery } from '../query.js';

/** @typedef {import('../jobs.js').Job} Job */
/** @typedef {{jobs: Job[], total: number, hasMore: boolean}} List some jobs of a group, and how many it has, or more */

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
    const { items } = await get(withQuery('/v1/jobs', { ids: ids.slice(start, start + some).join(',') }));
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
 * @param {string} text what is looked for among them, if anything is
 */
export async function readGroups(groups, shown, text) {
  /** @type {List[]} */
  const lists = [];
  for (const { kind, limit } of groups) {
    const answers = await Promise.all(
      kind.states.map((state) => get(withQuery('/v1/jobs', { state, limit, q: text }))),
    );
    lists.push({
      jobs: answers.flatMap(({ items }) => items),
      // Nobody counts what a search finds.
      total: answers.reduce((sum, { total, items }) => sum + (total ?? items.length), 0),
      hasMore: answers.some(({ total, has_more: hasMore }) => total === null && hasMore),
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
    if (!list || list.hasMore || list.jobs.length < list.total) continue;
    list.jobs.push(job);
    list.total += 1;
  }
  return lists;
}
