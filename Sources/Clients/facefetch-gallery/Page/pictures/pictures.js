/** The view of all pictures: filters, the wall, and what is new. */
import { make, say, set } from '../dom.js';
import { Problem } from '../api.js';
import { look, lookAway } from '../attention.js';
import { Choosing } from '../wall/choosing.js';
import { Wall } from '../wall/wall.js';
import { chosenBar } from './chosen.js';
import { Documents, read, readFirst } from '../documents.js';
import { connected, follow } from '../feed.js';
import { takeFirst } from '../start.js';
import { count } from '../words.js';
import * as jobs from '../jobs.js';
import { stand, stood } from '../place.js';
import { adopt as adoptAddress, filters, query, wholeQuery } from './filters.js';
import { cantBeFound, nothingFound, nothingYet, outOfReach } from './empty.js';

/** Whether there are boxes on the wall, and where it was left; kept while the page is open. */
let hasBoxes = false;
/** @type {import('../wall/wall.js').Anchor | null} */
let left = null;

/** @type {typeof import('../viewer/viewer.js') | null} */
let viewer = null;
/** The picture that is to be opened as soon as there is something to open it with. */
let wanted = 0;

/** Loads what shows one picture. */
export async function loadViewer() {
  viewer ??= await import('../viewer/viewer.js');
  return viewer;
}

/** Closes the picture that is open, if one is. */
export function closeViewer() {
  wanted = 0;
  viewer?.closeViewer();
}

/** Milliseconds for which the whole index waits for events: what is read before they come has to be read once more. */
const patience = 1000;

/** Kinds of events after which there is something else to show. */
const changes = new Set([
  'stored',
  'detection_finished',
  'detection_failed',
  'detection_deferred',
  'detection_cancelled',
]);

/** Milliseconds after which it is taken down where the wall stands. */
const standing = 400;

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} address what is chosen
 * @param {number | null} picture one to open at once
 */
export function showPictures(main, address, picture) {
  if (adoptAddress(address)) left = null;
  // Back to where one was before: on this page, or before it was loaded anew.
  left = stood() ?? left;
  if (query().toString() || left) void takeFirst();
  const total = make('output', { class: 'total' });
  const toggle = make(
    'button',
    {
      type: 'button',
      'aria-pressed': String(hasBoxes),
      onclick: () => {
        hasBoxes = !hasBoxes;
        toggle.setAttribute('aria-pressed', String(hasBoxes));
        wall.showBoxes(hasBoxes);
      },
    },
    'Face boxes',
  );
  const fresh = make('button', {
    type: 'button',
    class: 'new',
    hidden: true,
    onclick: (/** @type {MouseEvent} */ event) => {
      window.scrollTo(0, 0);
      adopt();
      // The keyboard stood on this button, which is gone.
      if (event.detail === 0) wall.moveTo(0);
    },
  });
  const told = make('p', { class: 'unseen', role: 'status' });
  const empty = make('div', {});
  /** @type {Wall} */
  const wall = new Wall({
    open: (id) => void open(id),
    // What stands behind a picture that is open isn't looked at.
    seen: (visible, near) => {
      if (document.querySelector('dialog[open]')) return;
      look(visible, near);
      clearTimeout(settling);
      settling = window.setTimeout(settle, standing);
    },
  });
  wall.hasBoxes = hasBoxes;
  const chosen = chosenBar({
    clear: () => choosing.turn(false),
    add: (ids) => choosing.add(ids),
    forgotten: () => {
      // What is gone isn't shown, whatever else is looked at.
      isFirst = true;
      left = wall.isAtTop ? null : wall.anchor();
      void refresh();
    },
  });
  const choosing = new Choosing(wall, () => {
    set(choose, 'aria-pressed', String(choosing.isOn));
    chosen.show(choosing.ids);
  });
  wall.choosing = choosing;
  const choose = make(
    'button',
    { type: 'button', 'aria-pressed': 'false', onclick: () => choosing.turn(!choosing.isOn) },
    'Choose',
  );
  let fields = filters(changed, toggle, choose, total);
  main.replaceChildren(fields.form, fresh, told, empty, wall.list, chosen.bar);

  let latest = new Documents(new ArrayBuffer(0));
  let isFirst = true;
  let isStale = false;
  let isReading = false;
  let isWaiting = false;
  let ended = false;
  let timer = 0;
  /** When the index may be read again because of an event. */
  let rested = 0;
  /** Until nobody points at a picture any more. */
  let later = 0;
  let settling = 0;
  /** @type {AbortController | null} */
  let reading = null;

  /** Takes down where the wall stands, for whoever comes back. */
  function settle() {
    if (ended || isFirst || document.querySelector('dialog[open]')) return;
    stand(wall.isAtTop ? null : wall.anchor());
  }

  /**
   * Another address of this view: the fields are those of it.
   *
   * @param {URLSearchParams} next
   */
  function adoptOther(next) {
    if (!adoptAddress(next)) return;
    fields.end();
    const had = fields.form;
    fields = filters(changed, toggle, choose, total);
    had.replaceWith(fields.form);
    wall.measure();
    changed(stood());
  }

  /** @param {import('../wall/wall.js').Anchor | null} [anchor] where the wall stood with these */
  function changed(anchor = null) {
    clearTimeout(timer);
    reading?.abort();
    isFirst = true;
    // Others are at the place that was looked at.
    left = anchor;
    window.scrollTo(0, 0);
    void refresh();
  }

  /** @param {number} id */
  async function open(id) {
    wanted = id;
    // Where nobody answers, that is said at the top of the page.
    const there = viewer ?? (await loadViewer().catch(() => null));
    if (!there || ended || wanted !== id) return;
    there.openViewer(wall.documents, id, {
      boxes: hasBoxes,
      closed: (now) => {
        wall.focusOn(now);
        wall.draw();
      },
    });
  }

  async function refresh() {
    reading = new AbortController();
    const mine = reading;
    isReading = true;
    isStale = false;
    let start = performance.now();
    try {
      const first = isFirst && !left && wholeQuery().toString() === '' ? await readBeginning(mine.signal) : null;
      if (ended || mine !== reading) return;
      if (first && !first.isWhole) {
        empty.replaceChildren();
        wall.show(first);
        isWaiting = true;
        await connected(patience);
        isWaiting = false;
        start = performance.now();
        if (ended || mine !== reading) return;
      }
      latest = first?.isWhole ? first : await read(wholeQuery(), mine.signal);
      if (!ended && mine === reading) arrived();
    } catch (error) {
      if (mine === reading && error instanceof Problem && error.status === 400) {
        latest = new Documents(new ArrayBuffer(0));
        say(total, '');
        wall.show(latest);
        empty.replaceChildren(cantBeFound(error.message));
      } else {
        // Asked again below; that nobody answers is said at the top of the page.
        isStale = true;
        if (mine === reading && wall.documents.length === 0) empty.replaceChildren(outOfReach());
      }
    }
    if (ended || mine !== reading) return;
    isReading = false;
    // A large index isn't asked for all the time; but nobody waits much longer for what is new than it takes.
    const took = performance.now() - start;
    rested = performance.now() + took * 2;
    const pause = Math.min(Math.max(400, took * 20), Math.max(5000, took * 2));
    timer = window.setTimeout(() => isStale && !isReading && void refresh(), isStale ? Math.max(pause, 2000) : pause);
  }

  function arrived() {
    say(total, count(latest.length, 'picture'));
    clearTimeout(later);
    const lookedAtFor = wall.lookedAtFor;
    if (isFirst || lookedAtFor === 0 || wall.documents.length === 0) {
      const wasFirst = isFirst;
      isFirst = false;
      adopt(wasFirst ? left : null);
      left = null;
      if (picture !== null) {
        const id = picture;
        picture = null;
        void open(id);
      }
      return;
    }
    wall.refresh(latest);
    const number = latest.countNew(wall.documents);
    fresh.hidden = number === 0;
    if (number > 0) {
      if (lookedAtFor < Infinity) later = window.setTimeout(arrived, lookedAtFor + 50);
      say(fresh, `${number.toLocaleString('en')} new`);
      say(told, `${number.toLocaleString('en')} new`);
    }
  }

  /** @param {import('../wall/wall.js').Anchor | null} [anchor] */
  function adopt(anchor) {
    fresh.hidden = true;
    say(told, '');
    wall.show(latest, anchor ?? undefined);
    choosing.learn(latest);
    if (latest.length > 0) empty.replaceChildren();
    else empty.replaceChildren(query().toString() ? nothingFound() : nothingYet());
  }

  const leave = follow((news) => {
    if (!('events' in news)) {
      if ('connected' in news && news.connected) {
        wall.tryAgain();
        if (!isWaiting) stale();
      }
      if ('omitted' in news) {
        jobs.forgetAll();
        stale();
      }
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
    timer = window.setTimeout(() => void refresh(), Math.max(250, rested - performance.now()));
  }

  void refresh();
  const end = () => {
    ended = true;
    if (wall.documents.length > 0) left = wall.isAtTop ? null : wall.anchor();
    fields.end();
    clearTimeout(settling);
    clearTimeout(timer);
    clearTimeout(later);
    reading?.abort();
    leave();
    wall.end();
    lookAway();
  };
  return Object.assign(end, { adopt: adoptOther });
}

/**
 * The beginning of the list, so that the first screen is there before the rest; null where it can't be had.
 *
 * @param {AbortSignal} signal
 */
async function readBeginning(signal) {
  return (await takeFirst()) ?? (await readFirst(signal).catch(() => null));
}
