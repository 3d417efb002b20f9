/** What is wrong, and what to do about it, at the top of every view. */
import { make, say } from './dom.js';
import { watch } from './status.js';
import { here } from './place.js';
import { clock, count } from './words.js';
import { sentence } from './work/words.js';

const words = {
  gallery: 'The gallery has ended. Start it again with “facefetch gallery”, and open the address that it prints.',
  daemon: 'The daemon can’t be reached. This page goes on by itself as soon as it is back.',
  hung: 'The daemon doesn’t answer. This page goes on by itself as soon as it does.',
  session:
    'This tab has not been let in. ' +
    'Press Enter in the terminal of “facefetch gallery”, and open the address that it prints here.',
};

/** Where people type, nothing goes on by itself. */
const wordsOnAdd = {
  ...words,
  daemon:
    'The daemon can’t be reached, so nothing can be added now. What is typed here stays; press Start once it is back.',
  hung: 'The daemon doesn’t answer, so nothing can be added now. What is typed here stays; press Start once it does.',
};

/** @param {keyof typeof words} fault */
const said = (fault) => (here().view === 'add' ? wordsOnAdd : words)[fault];

const back = {
  gallery: 'The gallery is back.',
  daemon: 'The daemon is back.',
  hung: 'The daemon answers again.',
  session: 'This tab has been let in.',
};

const key = 'facefetch-anew';

/** Has the page say, once it has been loaded anew, why that was. */
export function sayAfterReload() {
  sessionStorage.setItem(key, 'yes');
}

/** @param {HTMLElement} place */
export function showFaults(place) {
  const alert = make('div', { role: 'alert' });
  const state = make('div', { role: 'status' });
  place.append(alert, state);
  /** @type {keyof typeof words | null} */
  let was = null;
  let timer = 0;

  if (sessionStorage.getItem(key)) {
    sessionStorage.removeItem(key);
    put(state, 'good', 'The daemon has another store now. Everything here has been read anew.');
    timer = window.setTimeout(() => {
      timer = 0;
    }, 8000);
  }

  /**
   * @param {HTMLElement} region
   * @param {string} kind
   * @param {string | null} text
   */
  function put(region, kind, text) {
    if (text === null) return void (region.firstChild && region.replaceChildren());
    const there = region.firstElementChild;
    if (there instanceof HTMLElement && there.className === `notice ${kind}`) return say(there, text);
    region.replaceChildren(make('p', { class: `notice ${kind}` }, text));
  }

  /**
   * @param {import('./status.js').Status | null} status
   * @param {import('./status.js').Fault} fault
   */
  const tell = (status, fault) => {
    put(alert, 'bad', fault ? said(fault) : null);
    if (was && !fault) {
      put(state, 'good', back[was]);
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        timer = 0;
        put(state, 'warn', standing(status));
      }, 4000);
    } else if (!timer || fault) {
      put(state, 'warn', fault ? null : standing(status));
    }
    was = fault;
  };
  watch(tell);
  // Another view may have other words for it.
  window.addEventListener('hashchange', () => was && put(alert, 'bad', said(was)));
}

/** @param {import('./status.js').Status | null} status */
function standing(status) {
  if (!status) return null;
  if (status.holds?.length) {
    const holds = /** @type {import('./work/holds.js').Hold[]} */ (status.holds);
    const hosts = holds.filter((hold) => hold.kind === 'host');
    const several = hosts.length > 1;
    const words = holds
      .filter((hold) => !several || hold.kind !== 'host')
      .map((hold) => {
        const reason = sentence(hold.reason);
        return hold.until ? `${reason} Until ${clock(hold.until)}.` : reason;
      });
    if (several) words.push(`${count(hosts.length, 'host')} have to be waited for: see Work.`);
    return words.join(' ');
  }
  if (status.state === 'starting') return 'The daemon is starting.';
  if (status.may_change === false)
    return 'You may look, and change nothing: ask an administrator for the group of control.write-group.';
  return null;
}
