/** One picture, large: to look at, to zoom into, and to read about. */
import { make, say } from './dom.js';
import { boxes } from './boxes.js';
import { send, Problem } from './api.js';
import { unreadable } from './documents.js';
import * as jobs from './jobs.js';
import { follow } from './feed.js';
import { Zoom } from './zoom.js';
import { count, moment, size } from './words.js';

/** @typedef {import('./documents.js').Documents} Documents */

let hasBoxes = true;

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
  hasBoxes = hasBoxes || acts.boxes;

  const title = make('h1', { id: 'viewer-title' });
  const toggle = make('button', { type: 'button', 'aria-pressed': String(hasBoxes), onclick: () => {
    hasBoxes = !hasBoxes;
    toggle.setAttribute('aria-pressed', String(hasBoxes));
    drawBoxes();
  } }, 'Boxes');
  const download = make('a', { class: 'button', download: '' }, 'Download');
  const again = make('button', { type: 'button', class: 'steers', onclick: () => void lookAgain() }, 'Look again');
  const said = make('span', { class: 'quiet', role: 'status' });
  const close = make('button', { type: 'button', onclick: () => dialog.close() }, 'Close');
  const image = make('img', { alt: '', draggable: 'false' });
  const sheet = make('div', { class: 'sheet' }, image);
  const message = make('p', { class: 'message', role: 'status' });
  const stage = make('div', { class: 'stage' }, sheet, message,
    make('button', { type: 'button', class: 'turn back', 'aria-label': 'Previous', onclick: () => go(-1) }, '‹'),
    make('button', { type: 'button', class: 'turn on', 'aria-label': 'Next', onclick: () => go(1) }, '›'));
  const facts = make('section', { class: 'facts', 'aria-label': 'About this picture', tabindex: 0 });
  const dialog = make('dialog', { class: 'viewer', 'aria-labelledby': 'viewer-title', onkeydown: key, onclose: closed },
    make('div', { class: 'tools' }, title, said, toggle, again, download, close), stage, facts);
  document.body.append(dialog);
  const zoom = new Zoom(stage, sheet, { swiped: go, zoomed: () => sharpen() });
  const leave = follow((news) => {
    if (!('events' in news)) return;
    if (news.events.some((event) => event.job === documents.id(place) && event.kind.startsWith('detection'))) {
      jobs.forget(documents.id(place));
      void fill();
    }
  });
  dialog.showModal();
  close.focus();
  show();

  function closed() {
    leave();
    zoom.end();
    image.removeAttribute('src');
    dialog.remove();
    if (/^#\/pictures\/\d+$/.test(location.hash)) history.replaceState(null, '', '#/pictures');
    acts.closed(documents.id(place));
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.target instanceof Node && facts.contains(event.target) && event.key.startsWith('Page')) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => go(-1), ArrowRight: () => go(1), '+': () => zoom.by(1.5), '=': () => zoom.by(1.5), '-': () => zoom.by(1 / 1.5), 0: () => zoom.fit(),
    };
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act();
  }

  /** @param {number} by */
  function go(by) {
    const next = place + by;
    if (next < 0 || next >= documents.length) return;
    place = next;
    show();
  }

  function show() {
    const now = documents.id(place);
    history.replaceState(null, '', `#/pictures/${now}`);
    say(title, jobs.job(now)?.name ?? `Picture ${now}`);
    say(said, '');
    download.href = `/v1/jobs/${now}/document`;
    for (const box of sheet.querySelectorAll('.box')) box.remove();
    for (const turn of stage.querySelectorAll('button')) {
      turn.disabled = turn.classList.contains('back') ? place === 0 : place === documents.length - 1;
    }
    zoom.shape(documents.aspect(place));
    sheet.hidden = documents.look(place) === unreadable;
    if (sheet.hidden) {
      image.removeAttribute('src');
      say(message, 'This document can\u2019t be read as a picture. It is stored as it came, and can be downloaded.');
    } else {
      say(message, '');
      image.src = `/v1/jobs/${now}/picture/medium`;
    }
    void fill();
  }

  image.addEventListener('load', () => {
    if (image.naturalWidth > 0) zoom.shape(image.naturalWidth / image.naturalHeight);
    drawBoxes();
    for (const next of [place + 1, place - 1]) {
      if (next < 0 || next >= documents.length || documents.look(next) === unreadable) continue;
      new Image().src = `/v1/jobs/${documents.id(next)}/picture/medium`;
    }
  });
  image.addEventListener('error', () => {
    if (!image.hasAttribute('src')) return;
    image.removeAttribute('src');
    sheet.hidden = true;
    say(message, 'This picture can\u2019t be shown. It can be downloaded as it came.');
  });

  /** More pixels, once somebody looks closer. */
  function sharpen() {
    const large = `/v1/jobs/${documents.id(place)}/picture/large`;
    if (image.hasAttribute('src') && image.getAttribute('src') !== large) image.src = large;
  }

  async function fill() {
    const now = documents.id(place);
    const job = await jobs.load(now);
    if (!job || documents.id(place) !== now || !dialog.isConnected) return;
    say(title, job.name);
    image.alt = `${job.name}, ${documents.words(place)}`;
    download.download = job.name;
    drawBoxes();
    facts.replaceChildren(about(job));
  }

  function drawBoxes() {
    for (const box of sheet.querySelectorAll('.box')) box.remove();
    const job = jobs.job(documents.id(place));
    if (hasBoxes && job && !sheet.hidden) sheet.append(...boxes(job));
  }

  async function lookAgain() {
    const now = documents.id(place);
    again.disabled = true;
    say(said, 'Looking again\u2026');
    try {
      jobs.keep(await send('POST', `/v1/jobs/${now}/detect`));
      say(said, 'It is looked at again.');
    } catch (error) {
      say(said, error instanceof Problem ? error.message : String(error));
    }
    again.disabled = false;
    again.focus();
  }
}

/** @param {import('./jobs.js').Job} job */
function about(job) {
  const list = make('dl', {});
  /**
   * @param {string} term
   * @param {string | Node | null | undefined} text
   */
  const say = (term, text) => {
    if (text) list.append(make('dt', {}, term), make('dd', {}, text));
  };
  const seen = job.detection;
  say('Faces', seen ? outcome(seen) : 'not looked at yet');
  if (seen && seen.face_count) say('How sure', seen.faces.slice(0, 12).map((face) => face.confidence.toFixed(2)).join(', '));
  if (seen?.width && seen.height) say('Picture', `${seen.width} × ${seen.height} pixels${seen.format ? `, ${seen.format.toUpperCase()}` : ''}`);
  say('Size', size(job.bytes));
  say('From', /^https?:/.test(job.url) ? make('a', { href: job.url, rel: 'noreferrer noopener', target: '_blank' }, job.url) : job.url);
  say('Source', job.source);
  for (const [name, value] of Object.entries(job.meta ?? {})) say(name, typeof value === 'string' ? value : JSON.stringify(value));
  say('Batch and job', `b${job.batch}, j${job.id}`);
  say('Asked for', moment(job.created_at));
  say('Done', moment(job.finished_at));
  say('Stored at', job.path);
  say('SHA-256', job.sha256);
  if (seen?.engine) say('Looked at by', `${seen.engine} in ${seen.seconds.toFixed(2)} s${seen.shared_from ? `, shared from j${seen.shared_from}` : ''}`);
  return list;
}

/** @param {import('./jobs.js').Detection} seen */
function outcome(seen) {
  switch (seen.outcome) {
    case 'counted': return count(seen.face_count ?? 0, 'face');
    case 'unreadable': return 'unreadable as a picture';
    case 'crashed': return 'whoever looked at it ended without an answer, twice';
    case 'timed_out': return 'looking took too long';
    default: return 'not looked at';
  }
}
