/** The hosts that files are still to be fetched from: how many files, and at which pace. */
import { make, say } from '../dom.js';
import { get } from '../api.js';
import { withQuery } from '../query.js';
import { count } from '../words.js';

/**
 * @typedef {{host: string, active?: number, queued?: number, pace?: string | null,
 *   waiting?: {reason: string, until: string | null} | null}} Host
 * @typedef {{items: Host[], total: number}} Hosts
 */

/** The most that are shown, and of how many is asked. */
const most = 12;
const asked = 1000;

/**
 * The hosts, where something is to be done at all.
 *
 * @param {boolean} isBusy
 * @returns {Promise<Hosts>}
 */
export async function readHosts(isBusy) {
  if (!isBusy) return { items: [], total: 0 };
  const { items, total } = await get(withQuery('/v1/hosts', { limit: asked }));
  return { items, total: total ?? items.length };
}

export function hostList() {
  const tally = make('span', { class: 'tally' });
  const list = make('ul', { class: 'jobs plain' });
  const section = make(
    'section',
    { class: 'group', hidden: true, 'aria-label': 'Hosts' },
    make('div', { class: 'head' }, make('h2', {}, 'Hosts ', tally)),
    list,
  );
  let shown = '';
  return {
    section,
    /** @param {Hosts} hosts */
    show({ items, total }) {
      // One host without a pace says nothing that the lists above don't; those that wait are among what is held up.
      section.hidden = total < 2 && !items.some(({ pace }) => pace);
      if (section.hidden) return;
      const rows = [...items].sort((one, other) => work(other) - work(one)).slice(0, most);
      say(tally, total > rows.length ? `${rows.length} of ${total.toLocaleString('en')}` : String(total));
      const text = JSON.stringify(rows);
      if (text === shown) return;
      shown = text;
      list.replaceChildren(
        ...rows.map((host) =>
          make('li', {}, make('span', { class: 'name' }, host.host), make('span', { class: 'about' }, describe(host))),
        ),
      );
    },
  };
}

/** @param {Host} host */
const work = ({ active = 0, queued = 0 }) => active + queued;

/** @param {Host} host */
function describe({ active = 0, queued = 0, pace, waiting }) {
  return [
    active > 0 && count(active, 'download'),
    queued > 0 && `${queued.toLocaleString('en')} to come`,
    pace && `at a pace of ${pace}`,
    waiting && 'held up',
  ]
    .filter(Boolean)
    .join(' · ');
}
