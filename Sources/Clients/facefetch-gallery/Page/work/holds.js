/** What holds work up: the daemon as a whole, or single hosts; and until when. */
import { make, say } from '../dom.js';
import { clock, count } from '../words.js';
import { sentence } from './words.js';

/** @typedef {{kind: string, reason: string, until: string | null, host?: string}} Hold */
/** @typedef {import('./hosts.js').Host} Host */

/** @type {Record<string, string>} */
const titles = {
  disk: 'Too little room on the disk',
  network: 'There is no network',
  proxy: 'The proxy',
  storage: 'The daemon’s folders',
  hours: 'Not at this hour',
  metered: 'The connection is metered',
  room: 'No room for more',
};
/** The most that are shown. */
const most = 20;

/** @param {(host: string) => void} release has a host asked before its time */
export function holdList(release) {
  const tally = make('span', { class: 'tally' });
  const list = make('ul', { class: 'jobs sources plain' });
  const section = make(
    'section',
    { class: 'group', hidden: true, 'aria-label': 'Held up' },
    make('div', { class: 'head' }, make('h2', {}, 'Held up ', tally)),
    list,
  );
  let shown = '';

  /** @param {ReturnType<typeof row>} what */
  const item = ({ name, host, about }) =>
    make(
      'li',
      {},
      make('span', { class: 'name' }, name),
      host &&
        make(
          'div',
          { class: 'row' },
          make('button', { type: 'button', 'aria-label': `Ask now: ${host}`, onclick: () => release(host) }, 'Ask now'),
        ),
      make('span', { class: 'about' }, about),
    );
  return {
    section,
    /**
     * Shows them; true where the keyboard stood on one that has gone.
     *
     * @param {Hold[]} holds
     * @param {Host[]} all the hosts that files are to be fetched from, as far as they are known
     */
    show(holds, all) {
      const hosts = all.filter(({ waiting }) => waiting);
      const rows = [
        ...holds.filter(({ kind }) => kind !== 'host').map((hold) => row(titles[hold.kind] ?? hold.kind, hold)),
        // Who knows how many jobs wait for a host says more than the hold does; but not all hosts were asked for.
        ...hosts.map(({ host, queued, waiting }) => row(host, waiting ?? { reason: '', until: null }, host, queued)),
        ...holds
          .filter((hold) => hold.kind === 'host' && !hosts.some(({ host }) => host === hold.host))
          .map((hold) => row(hold.host ?? 'A host', hold, hold.host)),
      ];
      section.hidden = rows.length === 0;
      say(tally, rows.length.toLocaleString('en'));
      const text = JSON.stringify(rows.slice(0, most));
      if (text === shown) return false;
      shown = text;
      const at = [...list.children].findIndex((item) => item.contains(document.activeElement));
      list.replaceChildren(...rows.slice(0, most).map(item));
      if (at < 0) return false;
      const next = list.children[at]?.querySelector('button') ?? list.querySelector('button');
      next?.focus();
      return !next;
    },
  };
}

/**
 * @param {string} name
 * @param {{reason: string, until: string | null}} hold
 * @param {string} [host] the one that is waited for
 * @param {number} [queued]
 */
function row(name, { reason, until }, host, queued) {
  const parts = [
    sentence(reason),
    until ? `Until ${clock(until)}.` : 'Goes on by itself once that has passed.',
    queued ? `${count(queued, 'job')} wait${queued === 1 ? 's' : ''} for it.` : '',
  ];
  return { name, host, about: parts.filter(Boolean).join(' ') };
}
