/** The jobs that somebody has chosen. They stay chosen wherever they go, until they have ended. */
import { readJobs } from './reading.js';

/** @typedef {import('../jobs.js').Job} Job */

/** What can be asked of a job in each state. */
/** @type {Record<string, string[]>} */
export const fitting = {
  queued: ['pause', 'cancel'],
  downloading: ['pause', 'cancel'],
  detecting: ['pause', 'cancel'],
  stored: ['pause', 'cancel'],
  waiting: ['retry', 'pause', 'cancel'],
  paused: ['resume', 'cancel'],
  failed: ['retry', 'dismiss'],
};

export class Choice {
  constructor() {
    /** @type {Map<number, string>} the state of each, as it was heard of last */
    this.states = new Map();
  }

  /**
   * Those of which something can be asked.
   *
   * @param {string} word
   */
  fit(word) {
    return [...this.states].filter(([, state]) => fitting[state]?.includes(word)).map(([id]) => id);
  }

  /**
   * Learns how they are now. Those that none of the lists shows are asked for by themselves: they may be further
   * down, or on their way from one to another.
   *
   * @param {Job[]} shown
   */
  async learn(shown) {
    const missing = new Set(this.states.keys());
    for (const { id, state } of shown) if (missing.delete(id)) this.states.set(id, state);
    const now = new Map((await readJobs([...missing])).map(({ id, state }) => [id, state]));
    for (const id of missing) {
      // Nobody wants to do more to what has ended, and may have chosen none meanwhile.
      const state = now.get(id) ?? '';
      if (!(state in fitting)) this.states.delete(id);
      else if (this.states.has(id)) this.states.set(id, state);
    }
  }
}
