/** The view of all pictures: filters, the wall, and what is new. */
import { make, say } from './dom.js';
import { Wall } from './wall/wall.js';
import { Documents, read } from './documents.js';
import { follow } from './feed.js';
import * as jobs from './jobs.js';
import { openViewer } from './viewer/viewer.js';
import { count } from './words.js';

/** What the person has chosen, kept while the page is open. */
const chosen = { text: '', faces: '', order: 'newest', batch: '', boxes: false };
/** Where the wall was scrolled to. */
let scrolled = 0;

/** Kinds of events after which there is something else to show. */
const changes = new Set(['stored', 'detection_finished', 'detection_failed', 'detection_deferred']);

/**
 * @param {HTMLElement} main
 * @param {number | null} picture one to open at once
 */
export function showPictures(main, picture) {
  const total = make('output', { class: 'total' });
  const toggle = make('button', { type: 'button', 'aria-pressed': String(chosen.boxes), onclick: () => {
    chosen.boxes = !chosen.boxes;
    toggle.setAttribute('aria-pressed', String(chosen.boxes));
    wall.showBoxes(chosen.boxes);
  } }, 'Face boxes');
  const filters = make('form', { class: 'filters', role: 'search', 'aria-label': 'Filters', onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    make('h1', { class: 'unseen' }, 'Pictures'),
    make('input', { type: 'search', 'aria-label': 'Search', placeholder: 'Search names and addresses', value: chosen.text, maxlength: 256, oninput: (/** @type {Event} */ event) => change('text', event) }),
    make('label', { class: 'field' }, 'Faces at least',
      make('input', { type: 'number', min: 0, max: 1000, step: 1, value: chosen.faces, oninput: (/** @type {Event} */ event) => change('faces', event) })),
    make('label', { class: 'field' }, 'Batch',
      make('input', { type: 'number', min: 1, step: 1, value: chosen.batch, oninput: (/** @type {Event} */ event) => change('batch', event) })),
    make('label', { class: 'field' }, 'Order', orders((event) => change('order', event))),
    toggle, total);
  const fresh = make('button', { type: 'button', class: 'new', hidden: true, onclick: () => {
    window.scrollTo(0, 0);
    adopt();
  } });
  const told = make('p', { class: 'unseen', role: 'status' });
  const empty = make('div', {});
  /** @type {Wall} */
  const wall = new Wall({
    open: (id) => openViewer(wall.documents, id, { closed: (now) => wall.focusOn(now), boxes: chosen.boxes }),
    seen: () => {},
  });
  wall.hasBoxes = chosen.boxes;
  main.replaceChildren(filters, fresh, told, empty, wall.list);

  let latest = new Documents(new ArrayBuffer(0));
  let isFirst = true;
  let isStale = false;
  let isReading = false;
  let ended = false;
  let timer = 0;
  /** @type {AbortController | null} */
  let reading = null;

  /**
   * @param {'text' | 'faces' | 'order' | 'batch'} name
   * @param {Event} event
   */
  function change(name, event) {
    chosen[name] = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value.trim();
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      reading?.abort();
      isFirst = true;
      void refresh();
    }, 150);
  }

  async function refresh() {
    reading = new AbortController();
    const mine = reading;
    isReading = true;
    isStale = false;
    const start = performance.now();
    try {
      const query = new URLSearchParams();
      if (chosen.text) query.set('q', chosen.text);
      if (/^\d+$/.test(chosen.faces) && Number(chosen.faces) > 0) query.set('faces_min', String(Number(chosen.faces)));
      if (/^\d+$/.test(chosen.batch) && Number(chosen.batch) > 0) query.set('batch', String(Number(chosen.batch)));
      if (chosen.order !== 'newest') query.set('order', chosen.order);
      latest = await read(query, mine.signal);
      if (!ended && mine === reading) arrived();
    } catch {
      // Asked again below; that nobody answers is said at the top of the page.
      isStale = true;
    }
    if (ended || mine !== reading) return;
    isReading = false;
    // A large index isn't asked for all the time.
    const pause = Math.max(400, (performance.now() - start) * 20);
    timer = window.setTimeout(() => isStale && !isReading && void refresh(), isStale ? Math.max(pause, 2000) : pause);
  }

  function arrived() {
    say(total, count(latest.length, 'picture'));
    if (isFirst || wall.isAtTop || wall.documents.length === 0) {
      const wasFirst = isFirst;
      isFirst = false;
      adopt();
      if (wasFirst && scrolled > 0) window.scrollTo(0, scrolled);
      scrolled = 0;
      if (picture !== null) {
        const id = picture;
        picture = null;
        openViewer(latest, id, { closed: (now) => wall.focusOn(now), boxes: chosen.boxes });
      }
      return;
    }
    wall.refresh(latest);
    const number = latest.countNew(wall.documents);
    fresh.hidden = number === 0;
    if (number > 0) {
      say(fresh, `${number.toLocaleString('en')} new`);
      say(told, `${number.toLocaleString('en')} new`);
    }
  }

  function adopt() {
    fresh.hidden = true;
    say(told, '');
    wall.show(latest);
    const isFiltered = chosen.text || Number(chosen.faces) > 0 || chosen.batch;
    if (latest.length > 0) empty.replaceChildren();
    else if (isFiltered) empty.replaceChildren(nothingFound());
    else empty.replaceChildren(nothingYet());
  }

  const leave = follow((news) => {
    if (!('events' in news)) {
      if ('connected' in news && news.connected) stale();
      return;
    }
    for (const event of news.events) if (changes.has(event.kind)) jobs.forget(event.job);
    if (news.events.some((event) => changes.has(event.kind))) stale();
  });
  function stale() {
    if (isReading || isStale) {
      isStale = true;
      return;
    }
    isStale = true;
    clearTimeout(timer);
    timer = window.setTimeout(() => void refresh(), 250);
  }

  void refresh();
  return () => {
    ended = true;
    scrolled = window.scrollY;
    clearTimeout(timer);
    reading?.abort();
    leave();
    wall.end();
  };
}

/** @param {(event: Event) => void} changed */
function orders(changed) {
  const select = make('select', { onchange: changed });
  for (const [value, text] of [['newest', 'Newest first'], ['oldest', 'Oldest first'], ['name', 'By name'], ['faces', 'Most faces first']]) {
    select.append(make('option', { value, selected: chosen.order === value }, text));
  }
  return select;
}

function nothingYet() {
  return make('section', { class: 'empty' },
    make('h2', {}, 'No pictures yet'),
    make('p', {}, 'Give facefetch the addresses of some pictures. They come in here as they arrive, with the faces that are in them.'),
    make('a', { class: 'button', href: '#/add' }, 'Add pictures'));
}

function nothingFound() {
  return make('section', { class: 'empty' },
    make('h2', {}, 'Nothing matches'),
    make('p', {}, 'No picture has what the filters ask for.'));
}
