/** Shows one picture, fitted, where PhotoSwipe isn't installed. */
import { make, say } from '../dom.js';
import { boxes } from '../boxes.js';
import * as jobs from '../jobs.js';
import { unreadable } from '../documents.js';
import { cantBeRead, cantBeShown } from './sentences.js';
import { urlOf } from '../prefix.js';

/** @typedef {import('./viewer.js').Stage} Stage */

/**
 * @param {HTMLElement} place
 * @param {import('../documents.js').Documents} documents
 * @param {() => {top: number, right: number, bottom: number, left: number}} room
 * @returns {Stage}
 */
export function plainStage(place, documents, room) {
  const image = make('img', { alt: '', draggable: 'false' });
  const sheet = make('div', { class: 'sheet' }, image);
  const message = make('p', { class: 'message', role: 'status' });
  const stage = make('div', { class: 'plain' }, sheet, message);
  place.append(stage);
  let now = 0;
  let hasBoxes = true;
  let tries = 0;
  let timer = 0;

  function load() {
    image.src = urlOf(`/v1/jobs/${documents.id(now)}/picture/medium`);
  }

  function draw() {
    for (const box of sheet.querySelectorAll('.box')) box.remove();
    const job = jobs.job(documents.id(now));
    if (job) image.alt = `${job.name}, ${documents.words(now)}`;
    if (job && hasBoxes && !sheet.hidden) sheet.append(...boxes(job));
  }

  function fit() {
    const { top, right, bottom, left } = room();
    stage.style.inset = `${top}px ${right}px ${bottom}px ${left}px`;
    image.style.maxWidth = `${stage.clientWidth}px`;
    image.style.maxHeight = `${stage.clientHeight}px`;
  }
  const measure = new ResizeObserver(fit);
  measure.observe(place);
  fit();

  image.addEventListener('load', () => {
    tries = 0;
    sheet.hidden = false;
    say(message, '');
    draw();
  });
  image.addEventListener('error', () => {
    if (!image.hasAttribute('src')) return;
    image.removeAttribute('src');
    sheet.hidden = true;
    say(message, cantBeShown);
    tries += 1;
    if (tries < 5) timer = window.setTimeout(load, 1000 * 2 ** tries);
  });
  return {
    show(next, on) {
      now = next;
      hasBoxes = on;
      tries = 0;
      clearTimeout(timer);
      sheet.hidden = documents.look(now) === unreadable;
      say(message, sheet.hidden ? cantBeRead : '');
      if (sheet.hidden) image.removeAttribute('src');
      else load();
      draw();
    },
    draw(on) {
      hasBoxes = on;
      draw();
    },
    fit,
    end() {
      clearTimeout(timer);
      measure.disconnect();
      image.removeAttribute('src');
      stage.remove();
    },
  };
}
