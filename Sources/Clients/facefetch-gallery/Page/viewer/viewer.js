/** One picture, large: to look at, to zoom into, and to read about. */
import { make, say } from '../dom.js';
import { bytes, send, Problem } from '../api.js';
import { Documents } from '../documents.js';
import { look } from '../attention.js';
import { follow } from '../feed.js';
import * as jobs from '../jobs.js';
import { address, here } from '../place.js';
import { facts, isAskedFor, outcome } from './facts.js';
import { similar } from './similar.js';
import { photoSwipeStage } from './stage-photoswipe.js';
import { plainStage } from './stage-plain.js';
import { status } from '../status.js';
import { plainly } from './sentences.js';
import { withQuery } from '../query.js';
import { urlOf } from '../prefix.js';

/**
 * @typedef {{
 *   show: (place: number, boxes: boolean) => void, draw: (boxes: boolean) => void, fit: () => void, end: () => void
 * }} Stage what shows pictures: another one, what is known now, more room or less
 */

/** Kept from one picture to the next, while the page is open. */
const chosen = { boxes: true, facts: true };
const narrow = matchMedia('(max-width: 800px) and (orientation: portrait)');
/** Pixels around the buttons that turn to another picture. */
const edge = 8;
chosen.facts = !narrow.matches;
/** Closes the picture that is open. */
let shut = () => {};

/** Closes the picture that is open, if one is: at once, so that nothing of it stays behind. */
export function closeViewer() {
  shut();
}

/**
 * Gives an open picture a place of its own in the history, so that Back closes it and nothing else.
 *
 * @param {number} id
 */
function enterHistory(id) {
  const { query, picture } = here();
  const { state } = history;
  if (state?.viewer) return history.replaceState(state, '', address('pictures', query, id));
  if (picture !== null) history.replaceState(state, '', address('pictures', query));
  history.pushState({ ...state, viewer: true }, '', address('pictures', query, id));
}

/**
 * Opens a picture; the others are before and behind it.
 *
 * @param {Documents} documents
 * @param {number} id
 * @param {{closed: (id: number) => void, boxes: boolean}} acts
 */
export function openViewer(documents, id, acts) {
  let place = documents.place(id);
  if (place < 0) return;
  chosen.boxes ||= acts.boxes;
  /** @type {Stage | null} */
  let stage = null;
  let isPlain = false;
  /** @type {number | null} the job that this person has asked to have looked at again */
  let awaited = null;

  const title = make('h1', { id: 'viewer-title' });
  const said = make('span', { class: 'quiet', role: 'status' });
  const toggle = make(
    'button',
    {
      type: 'button',
      'aria-pressed': String(chosen.boxes),
      onclick: () => {
        chosen.boxes = !chosen.boxes;
        toggle.setAttribute('aria-pressed', String(chosen.boxes));
        stage?.draw(chosen.boxes);
      },
    },
    'Boxes',
  );
  const details = make(
    'button',
    {
      type: 'button',
      'aria-pressed': String(chosen.facts),
      onclick: () => {
        chosen.facts = !chosen.facts;
        details.setAttribute('aria-pressed', String(chosen.facts));
        about.hidden = !chosen.facts;
        stage?.fit();
      },
    },
    'Details',
  );
  const again = make('button', { type: 'button', onclick: () => void lookAgain() }, 'Look again');
  const download = make('a', { class: 'button', download: '' }, 'Download');
  const close = make('button', { type: 'button', onclick: () => dialog.close() }, 'Close');
  const tools = make('div', { class: 'tools' }, title, said, toggle, details, again, download, close);
  const back = make(
    'button',
    { type: 'button', class: 'turn back', 'aria-label': 'Previous', onclick: () => go(-1) },
    '‹',
  );
  const on = make('button', { type: 'button', class: 'turn on', 'aria-label': 'Next', onclick: () => go(1) }, '›');
  const room = make('div', { class: 'stage' });
  const about = make('section', {
    class: 'facts',
    'aria-label': 'About this picture',
    tabindex: 0,
    hidden: !chosen.facts,
  });
  const dialog = make(
    'dialog',
    { class: 'viewer', 'aria-labelledby': 'viewer-title', onkeydown: key, onclose: closed },
    tools,
    room,
    back,
    on,
    about,
  );
  document.body.append(dialog);
  const leave = follow((news) => {
    const now = documents.id(place);
    if (
      'omitted' in news ||
      ('events' in news &&
        news.events.some(
          (event) => event.job === now && (event.kind.startsWith('detection') || event.kind === 'evicted'),
        ))
    ) {
      jobs.forget(now);
      void fill();
    }
  });
  let isClosed = false;
  shut = () => {
    if (dialog.open) dialog.close();
    closed();
  };
  dialog.showModal();
  close.focus();
  enterHistory(id);
  turned(place);
  void begin();

  async function begin() {
    const { default: PhotoSwipe } = await import('../library/photoswipe.js');
    if (!dialog.isConnected) return;
    isPlain = !PhotoSwipe;
    if (isPlain) say(said, plainly);
    stage = isPlain
      ? plainStage(room, documents, free)
      : photoSwipeStage(PhotoSwipe, room, documents, {
          at: place,
          boxes: chosen.boxes,
          turned,
          closed: () => dialog.open && dialog.close(),
          room: free,
        });
    stage.show(place, chosen.boxes);
    stage.draw(chosen.boxes);
  }

  /** How much of each side isn't a picture's: buttons stand beside it, or below where there is little width. */
  function free() {
    const top = tools.offsetHeight;
    if (narrow.matches) return { top, left: 0, right: 0, bottom: about.offsetHeight + on.offsetHeight + 2 * edge };
    return { top, left: back.offsetWidth + 2 * edge, right: about.offsetWidth + on.offsetWidth + 2 * edge, bottom: 0 };
  }

  function closed() {
    if (isClosed) return;
    isClosed = true;
    shut = () => {};
    leave();
    stage?.end();
    dialog.remove();
    const { view, picture, query } = here();
    if (view === 'pictures' && picture !== null) history.replaceState(history.state, '', address('pictures', query));
    acts.closed(documents.id(place));
  }

  /**
   * PhotoSwipe has keys of its own, once it is there.
   *
   * @param {KeyboardEvent} event
   */
  function key(event) {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if ((stage && !isPlain) || by === 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    go(by);
  }

  /** @param {number} by */
  function go(by) {
    const next = place + by;
    if (next < 0 || next >= documents.length) return;
    if (isPlain || !stage) turned(next);
    stage?.show(next, chosen.boxes);
  }

  /**
   * Another picture is shown.
   *
   * @param {number} next
   */
  function turned(next) {
    // Whoever has gone back is about to have it closed: that place in the history is not this picture's.
    if (here().picture === null) return;
    place = next;
    const now = documents.id(place);
    history.replaceState(history.state, '', address('pictures', here().query, now));
    say(title, jobs.job(now)?.name ?? `Picture ${now}`);
    say(said, isPlain ? plainly : '');
    download.href = urlOf(`/v1/jobs/${now}/document`);
    for (const [button, end] of /** @type {[HTMLButtonElement, number][]} */ ([
      [back, 0],
      [on, documents.length - 1],
    ])) {
      // A button that ends under the keyboard's hand leaves it nowhere.
      if (place === end && document.activeElement === button) close.focus();
      button.disabled = place === end;
    }
    look(
      [now],
      [place + 1, place - 1].filter((at) => at >= 0 && at < documents.length).map((at) => documents.id(at)),
    );
    void fill();
  }

  async function fill() {
    const now = documents.id(place);
    const job = await jobs.load(now);
    if (!job || documents.id(place) !== now || !dialog.isConnected) return;
    say(title, job.name);
    download.download = job.name;
    download.hidden = Boolean(job.evicted_at);
    stage?.draw(chosen.boxes);
    tell(job);
    if (awaited === now && !isAskedFor(job)) {
      awaited = null;
      say(said, job.detection ? `Looked at again: ${outcome(job.detection)}.` : '');
    }
    for (const next of [place + 1, place - 1]) {
      if (next < 0 || next >= documents.length) continue;
      void jobs.load(documents.id(next)).then(() => dialog.isConnected && stage?.draw(chosen.boxes));
    }
  }

  /** @param {jobs.Job} job */
  function tell(job) {
    const like = about.dataset.job === String(job.id) ? about.lastElementChild : null;
    about.dataset.job = String(job.id);
    about.replaceChildren(facts(job), like ?? similar(job.id, show));
  }

  /**
   * Shows documents that are alike, in the place of those that were here.
   *
   * @param {number[]} ids
   * @param {number} id which of them first
   */
  async function show(ids, id) {
    const origin = documents.id(place);
    const query = { ids: [origin, ...ids].join(','), order: 'oldest' };
    const alike = new Documents(await bytes(withQuery('/v1/documents/index', query)));
    if (!dialog.open || alike.place(id) < 0) return;
    shut();
    openViewer(alike, id, { boxes: chosen.boxes, closed: () => acts.closed(origin) });
  }

  async function lookAgain() {
    const now = documents.id(place);
    again.disabled = true;
    try {
      const job = jobs.keep(await send('POST', `/v1/jobs/${now}/detect`));
      awaited = now;
      if (documents.id(place) === now) {
        say(
          said,
          status()?.detection.gate === 'held'
            ? 'Asked for again. Face detection is held: release it under Work.'
            : 'Asked for again.',
        );
        tell(job);
      }
      // It may have been looked at before this answer came.
      jobs.forget(now);
      await fill();
    } catch (error) {
      say(said, error instanceof Problem ? error.message : String(error));
    }
    again.disabled = false;
    again.focus();
  }
}
