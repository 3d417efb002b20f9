/** The batches of which more than one job is left, each with its buttons. */
import { make, say, set } from '../dom.js';
import { get } from '../api.js';
import { count } from '../words.js';
import { fitting } from './choice.js';

/** @typedef {import('facefetch-api').Batch} Batch */

/** @type {Record<string, string>} */
const labels = { pause: 'Pause', resume: 'Resume', cancel: 'Cancel' };
/** The most batches that are shown: each takes a request. */
const most = 12;

/** @param {(id: number, word: string) => void} steer */
export function batchList(steer) {
  const tally = make('span', { class: 'tally' });
  const list = make('ul', { class: 'jobs sources' });
  const section = make(
    'section',
    { class: 'group', hidden: true, 'aria-label': 'Batches' },
    make('div', { class: 'head' }, make('h2', {}, 'Batches ', tally)),
    list,
  );
  /** @type {Batch[]} */
  let latest = [];
  /** @type {Map<number, ReturnType<typeof row>>} */
  const rows = new Map();

  /** @param {number} id */
  function row(id) {
    const name = `b${id}`;
    const about = make('span', { class: 'about' });
    const bar = make('progress', { 'aria-label': `Progress of ${name}` });
    let left = 0;
    const buttons = Object.entries(labels).map(([word, label]) => ({
      word,
      button: make(
        'button',
        {
          type: 'button',
          'aria-label': `${label} ${name}`,
          onclick: () => {
            // There is no way back to all of them at once.
            if (
              word !== 'cancel' ||
              confirm(
                `Cancel the ${count(left, 'job')} of ${name} that ${left === 1 ? 'is' : 'are'} not done? ` +
                  'What is stored stays.',
              )
            )
              steer(id, word);
          },
        },
        label,
      ),
    }));
    const item = make(
      'li',
      {},
      make('span', { class: 'name' }, name),
      make('div', { class: 'row' }, ...buttons.map(({ button }) => button)),
      bar,
      about,
    );
    return {
      item,
      /** @param {Batch} batch */
      update({ job_count: all, states }) {
        left = open(states);
        bar.max = all;
        bar.value = all - left;
        const can = words(states);
        for (const { word, button } of buttons) {
          const isLeft = !can.has(word) && document.activeElement === button;
          button.hidden = !can.has(word);
          if (isLeft) buttons.find((other) => can.has(other.word))?.button.focus();
        }
        set(about, 'class', states.failed ? 'about bad' : 'about');
        say(about, describe(all, states));
      },
    };
  }

  return {
    section,
    /**
     * Asks for the batches of these jobs.
     *
     * @param {import('../jobs.js').Job[]} jobs
     */
    async learn(jobs) {
      const ids = [...new Set(jobs.filter((job) => job.state !== 'failed').map((job) => job.batch))].slice(0, most);
      const answers = await Promise.all(ids.map((id) => get(`/v1/batches?after=${id - 1}&limit=1`)));
      latest = answers
        .flatMap((answer, at) => answer.items.filter((/** @type {Batch} */ batch) => batch.id === ids[at]))
        .filter((batch) => batch.job_count > 1 && open(batch.states) > 0)
        .sort((one, other) => one.id - other.id);
    },
    /** Shows them; true where the keyboard stood on one that has gone. */
    show() {
      let isLost = false;
      section.hidden = latest.length === 0;
      say(tally, latest.length.toLocaleString('en'));
      for (const [id, { item }] of rows) {
        if (latest.some((batch) => batch.id === id)) continue;
        isLost ||= item.contains(document.activeElement);
        item.remove();
        rows.delete(id);
      }
      for (const [index, batch] of latest.entries()) {
        const there = rows.get(batch.id) ?? row(batch.id);
        rows.set(batch.id, there);
        there.update(batch);
        if (list.children[index] !== there.item) list.insertBefore(there.item, list.children[index] ?? null);
      }
      return isLost;
    },
  };
}

/**
 * How many jobs haven't ended.
 *
 * @param {Record<string, number>} states
 */
function open(states) {
  return Object.entries(states).reduce(
    (sum, [state, number]) => sum + (state !== 'failed' && state in fitting ? number : 0),
    0,
  );
}

/**
 * What can be asked of such jobs.
 *
 * @param {Record<string, number>} states
 */
function words(states) {
  return new Set(
    Object.entries(states).flatMap(([state, number]) =>
      number > 0 && state !== 'failed' ? (fitting[state] ?? []) : [],
    ),
  );
}

/**
 * @param {number} all
 * @param {Record<string, number>} states
 */
function describe(all, states) {
  const parts = ['downloading', 'detecting', 'queued', 'waiting', 'paused', 'stored', 'failed', 'cancelled']
    .filter((state) => states[state] > 0)
    .map((state) => `${states[state].toLocaleString('en')} ${state}`);
  return [`${states.done.toLocaleString('en')} of ${count(all, 'job')} done`, ...parts].join(' · ');
}
