/** The page: lets the person in, and shows the view that the address names. */
import { make, say } from './dom.js';
import { entered } from './start.js';
import { enter, hasToken } from './session.js';
import { urlOf } from './prefix.js';
import * as feed from './feed.js';
import * as status from './status.js';
import { sayAfterReload, showFaults } from './faults.js';
import { closeViewer, loadViewer, showPictures } from './pictures/pictures.js';
import { pulse } from './pulse.js';
import * as place from './place.js';

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const line = pulse(/** @type {HTMLElement} */ (document.getElementById('pulse')));
const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll('.bar nav a')]);
/** @type {Leave} */
let leave = () => {};
let view = '';
let isIn = false;
/** The prefix with which this page began. */
let prefix = '';
/** Counts where one has gone to, so that a view that was still on its way doesn't come after another one. */
let turn = 0;
/** Counts how often this tab has tried to come in: what becomes of an earlier try is of no interest. */
let tries = 0;

/**
 * Shows a view; what comes back ends it, or has it show what another address of it says.
 *
 * @typedef {(() => void) & {adopt?: (query: URLSearchParams) => void}} Leave
 * @typedef {(main: HTMLElement, query: URLSearchParams, picture: number | null) => Leave} Show
 */
/** The views; all but the first are loaded once there is something to look at, or somebody wants to see them. */
/** @type {Record<string, {title: string, load: () => Show | Promise<Show>}>} */
const views = {
  pictures: { title: 'Pictures', load: () => showPictures },
  work: { title: 'Work', load: async () => (await import('./work/work.js')).showWork },
  add: { title: 'Add pictures', load: async () => (await import('./add.js')).showAdd },
  log: { title: 'Log', load: async () => (await import('./log.js')).showLog },
};

async function route() {
  turn += 1;
  const mine = turn;
  const address = location.hash;
  const { view: name, picture, query } = place.here();
  const next = Object.hasOwn(views, name) ? name : 'pictures';
  place.arrived();
  if (next === view && picture && document.querySelector('dialog[open]')) return;
  // Whoever goes back from a picture wants to have it closed.
  closeViewer();
  rememberAddress(next);
  if (next === view && !picture) return void leave.adopt?.(query);
  const loading = views[next].load();
  const show = loading instanceof Promise ? await loading.catch(() => null) : loading;
  // Or a picture has been opened, which has an address of its own.
  if (mine !== turn || location.hash !== address) return;
  // The gallery has ended, which is said at the top of the page.
  if (!show) return void status.ask();
  leave();
  for (const dialog of document.querySelectorAll('dialog')) dialog.remove();
  view = next;
  for (const link of links) {
    if (link.dataset.view === next) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = `${views[next].title} – facefetch`;
  if (next !== 'pictures') window.scrollTo(0, 0);
  if (next === 'pictures') unseen(0);
  leave = show(main, query, picture);
}

/**
 * Whoever comes back to a view finds it as it was left.
 *
 * @param {string} name
 */
function rememberAddress(name) {
  const link = links.find((one) => one.dataset.view === name);
  if (link && place.here().view === name) link.href = place.address(name, place.here().query);
}
place.onChange(rememberAddress);

// What comes while one looks elsewhere is told beside the way to it.

let arrived = 0;
const badge = make('span', { class: 'count' });
links[0].append(badge);

/** @param {number} number */
function unseen(number) {
  arrived = number;
  say(badge, number > 0 ? `${number.toLocaleString('en')} new` : '');
}

/** @param {string} reason */
function lockedOut(reason) {
  main.replaceChildren(
    make(
      'section',
      { class: 'empty', role: 'alert' },
      make('h1', {}, 'This tab has not been let in'),
      make('p', {}, `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`),
      make(
        'p',
        {},
        'Press Enter in the terminal in which “facefetch gallery” runs, and open the address that it prints.',
      ),
    ),
  );
}

/** The daemon has another store: nothing that this page knows holds any more. */
function beginAnew() {
  closeViewer();
  sayAfterReload();
  location.reload();
}

/** @param {Promise<string | null>} entering */
async function begin(entering) {
  tries += 1;
  const mine = tries;
  const reason = await entering;
  if (reason !== null) return mine === tries ? lockedOut(reason) : undefined;
  if (isIn) {
    // Another gallery has let this tab in: what the page has asked for, and what it follows, is elsewhere there.
    if (prefix !== urlOf('')) return location.reload();
    void status.ask();
    return void route();
  }
  isIn = true;
  prefix = urlOf('');
  showFaults(/** @type {HTMLElement} */ (document.getElementById('faults')));
  await route();
  if (view === 'pictures') await firstPicture();
  status.begin();
  feed.begin();
  let store = '';
  status.watch((now, fault) => {
    if (!now) return;
    if (now.store && now.store !== store) {
      feed.heedStore(now.store);
      if (store) return beginAnew();
      store = now.store;
    }
    line.show(now, fault !== null);
  });
  feed.follow((news) => {
    if (view === 'pictures' || !('events' in news)) return;
    const stored = news.events.filter(
      (event) => event.kind === 'stored' && Date.now() - Date.parse(event.time) < 60_000,
    ).length;
    if (stored > 0) unseen(arrived + stored);
  });
  for (const load of [loadViewer, ...Object.values(views).map((one) => one.load)]) {
    try {
      await load();
    } catch {
      // It is asked for again when somebody wants to see it.
    }
  }
}

/** Resolves once there is a picture to look at, or after half a second: what can wait until then doesn't hold it up. */
function firstPicture() {
  return new Promise((resolve) => {
    main.addEventListener('load', resolve, { capture: true, once: true });
    setTimeout(resolve, 500);
  });
}

const skip = /** @type {HTMLAnchorElement} */ (document.querySelector('.skip'));
skip.addEventListener('click', (event) => {
  // The part behind # says which view is shown.
  event.preventDefault();
  main.focus();
});

// A file that is dropped in passing would take the place of this page; under Add it is read.
for (const name of ['dragover', 'drop']) {
  window.addEventListener(name, (event) => {
    const { dataTransfer } = /** @type {DragEvent} */ (event);
    if (view === 'add' || !dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    dataTransfer.dropEffect = 'none';
  });
}

// Also while this tab is locked out: a link that is pasted into it differs behind the # only.
window.addEventListener('hashchange', () => {
  if (hasToken()) void begin(enter());
  else if (isIn) void route();
});
void begin(entered);
