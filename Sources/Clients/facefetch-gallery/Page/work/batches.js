/** The batches of more than one job of which something is left to do, each with its buttons. */
import { make, say, set } from '../dom.js';
import { get } from '../api.js';
import { withQuery } from '../query.js';
import { count } from '../words.js';
import { learnOrigins, nameOf } from './batch-names.js';
import { fitting } from './choice.js';

/** @typedef {import('facefetch-api').Batch} Batch */

/** @type {Record<string, string>} */
const labels = { pause: 'Pause', resume: 'Resume', cancel: 'Cancel' };
/** The most batches that are shown; how many are asked for at once, and how often, among very many of one job. */
const most = 12;
const asked = 100;
const times = 10;

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
  let number = '';
  /** @type {Map<number, ReturnType<typeof row>>} */
  const rows = new Map();

  /** @param {number} id */
  function row(id) {
    let name = '';
    const title = make('span', {});
    const about = make('span', { class: 'about' });
    const bar = make('progress', {});
    let left = 0;
    const buttons = Object.entries(labels).map(([word, label]) => ({
      word,
      button: make(
        'button',
        {
          type: 'button',
          onclick: () => {
            // There is no way back to all of them at once.
            if (
              word !== 'cancel' ||
              confirm(
                `Cancel the ${count(left, 'job')} of b${id} (${name}) that ${left === 1 ? 'is' : 'are'} not done? ` +
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
      make('span', { class: 'name' }, title, ' ', make('span', { class: 'tally' }, `b${id}`)),
      make('div', { class: 'row' }, ...buttons.map(({ button }) => button)),
      bar,
      about,
    );
    return {
      item,
      /** @param {Batch} batch */
      update(batch) {
        const { job_count: all, states } = batch;
        const now = nameOf(batch);
        if (now !== name) {
          name = now;
          say(title, name);
          set(bar, 'aria-label', `Progress of b${id}, ${name}`);
          for (const { word, button } of buttons) set(button, 'aria-label', `${labels[word]} b${id}, ${name}`);
        }
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
    /** Asks for them. */
    async learn() {
      /** @type {Batch[]} */
      const several = [];
      let after = '';
      let hasMore = true;
      for (let time = 0; hasMore && time < times && several.length < most; time += 1) {
        const path = withQuery('/v1/batches', { unfinished: 'true', order: 'newest', limit: asked, after });
        const page = await get(path);
        several.push(...page.items.filter((/** @type {Batch} */ batch) => batch.job_count > 1));
        hasMore = page.has_more ?? false;
        after = page.next ?? '';
      }
      latest = several.slice(0, most);
      number = `${several.length.toLocaleString('en')}${hasMore ? ' or more' : ''}`;
      if (several.length > most) number = `the newest ${most} of ${number}`;
      await learnOrigins(latest);
    },
    /** Shows them; true where the keyboard stood on one that has gone. */
    show() {
      let isLost = false;
      section.hidden = latest.length === 0;
      say(tally, number);
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
