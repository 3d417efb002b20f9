/** What holds work up: the daemon as a whole, or single hosts; and until when. */
import { make, say } from '../dom.js';
import { get, Problem } from '../api.js';
import { withQuery } from '../query.js';
import { clock, count } from '../words.js';
import { sentence } from './words.js';

/** @typedef {{kind: string, reason: string, until: string | null, host?: string}} Hold */
/** @typedef {{host: string, queued?: number, waiting?: {reason: string, until: string | null} | null}} Host */

/** @type {Record<string, string>} */
const titles = {
  disk: 'The disk is full',
  network: 'There is no network',
  proxy: 'The proxy',
  storage: 'The daemon’s folders',
  hours: 'Not at this hour',
  metered: 'The connection is metered',
  room: 'No room for more',
};
/** The most that are shown, and of how many hosts is asked. */
const most = 20;
const asked = 1000;

/** An older daemon knows nothing of hosts. */
let knowsHosts = true;

/**
 * The hosts that wait, where the daemon says that there are some.
 *
 * @param {Hold[]} holds
 * @returns {Promise<Host[]>}
 */
export async function readHosts(holds) {
  if (!knowsHosts || !holds.some(({ kind }) => kind === 'host')) return [];
  try {
    const { items } = await get(withQuery('/v1/hosts', { limit: asked }));
    return items.filter((/** @type {Host} */ host) => host.waiting);
  } catch (error) {
    if (error instanceof Problem && error.status === 404) knowsHosts = false;
    else throw error;
    return [];
  }
}

export function holdList() {
  const tally = make('span', { class: 'tally' });
  const list = make('ul', { class: 'jobs plain' });
  const section = make(
    'section',
    { class: 'group', hidden: true, 'aria-label': 'Held up' },
    make('div', { class: 'head' }, make('h2', {}, 'Held up ', tally)),
    list,
  );
  let shown = '';
  return {
    section,
    /**
     * @param {Hold[]} holds
     * @param {Host[]} hosts
     */
    show(holds, hosts) {
      const rows = [
        ...holds.filter(({ kind }) => kind !== 'host').map((hold) => row(titles[hold.kind] ?? hold.kind, hold)),
        // Who knows how many jobs wait for a host says more than the hold does; but not all hosts were asked for.
        ...hosts.map(({ host, queued, waiting }) => row(host, waiting ?? { reason: '', until: null }, queued)),
        ...holds
          .filter((hold) => hold.kind === 'host' && !hosts.some(({ host }) => host === hold.host))
          .map((hold) => row(hold.host ?? 'A host', hold)),
      ];
      section.hidden = rows.length === 0;
      say(tally, rows.length.toLocaleString('en'));
      const text = JSON.stringify(rows.slice(0, most));
      if (text === shown) return;
      shown = text;
      list.replaceChildren(
        ...rows
          .slice(0, most)
          .map(({ name, about }) =>
            make('li', {}, make('span', { class: 'name' }, name), make('span', { class: 'about' }, about)),
          ),
      );
    },
  };
}

/**
 * @param {string} name
 * @param {{reason: string, until: string | null}} hold
 * @param {number} [queued]
 */
function row(name, { reason, until }, queued) {
  const parts = [
    sentence(reason),
    until ? `Until ${clock(until)}.` : 'Goes on by itself once that has passed.',
    queued ? `${count(queued, 'job')} wait${queued === 1 ? 's' : ''} for it.` : '',
  ];
  return { name, about: parts.filter(Boolean).join(' ') };
}
