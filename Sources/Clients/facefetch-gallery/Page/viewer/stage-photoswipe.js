/** Shows pictures by PhotoSwipe 5: zoom by wheel, keys, double click or two fingers, and swiping. */
import { make } from '../dom.js';
import { boxes } from '../boxes.js';
import * as jobs from '../jobs.js';
import { unreadable } from '../documents.js';
import { cantBeRead, cantBeShown } from './sentences.js';
import { urlOf } from '../prefix.js';

/** @typedef {import('./viewer.js').Stage} Stage */

/** The longer sides of the pictures that there are to fetch. */
const [medium, large] = [1440, 2560];

/**
 * @param {any} PhotoSwipe the library's class
 * @param {HTMLElement} place
 * @param {import('../documents.js').Documents} documents
 * @param {{
 *   at: number, boxes: boolean, turned: (place: number) => void, closed: () => void,
 *   room: () => {top: number, right: number, bottom: number, left: number}
 * }} acts
 * @returns {Stage}
 */
export function photoSwipeStage(PhotoSwipe, place, documents, acts) {
  const moves = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  let hasBoxes = acts.boxes;
  /** @type {Map<number, number>} how often a picture has failed to load, by place */
  const tries = new Map();
  /** @type {Set<number>} */
  const timers = new Set();
  const pswp = new PhotoSwipe({
    appendToEl: place,
    index: acts.at,
    loop: false,
    bgOpacity: 1,
    showHideAnimationType: 'none',
    paddingFn: acts.room,
    // Of the dialog: the window has a scrollbar as well.
    getViewportSizeFn: () => ({ x: place.clientWidth, y: place.clientHeight }),
    // The dialog around it does these.
    escKey: false,
    trapFocus: false,
    returnFocus: false,
    close: false,
    zoom: false,
    counter: false,
    arrowPrev: false,
    arrowNext: false,
    zoomAnimationDuration: moves ? 250 : 0,
    tapAction: false,
    imageClickAction: 'zoom',
    errorMsg: cantBeShown,
    maxZoomLevel: 4,
    preloaderDelay: 400,
  });
  pswp.addFilter('numItems', () => documents.length);
  pswp.addFilter('itemData', (/** @type {unknown} */ _, /** @type {number} */ index) => item(documents, index));
  pswp.on('change', () => acts.turned(pswp.currIndex));
  pswp.on('destroy', acts.closed);
  pswp.on('keydown', (/** @type {any} */ event) => key(event));

  // Boxes lie over the picture, in what is moved and scaled with it.
  pswp.on('afterSetContent', (/** @type {any} */ { slide }) => {
    slide.container.append(make('div', { class: 'boxes' }));
    size(slide, slide.content.displayedImageWidth ?? 0, slide.content.displayedImageHeight ?? 0);
    drawOn(slide);
  });
  pswp.on('imageSizeChange', (/** @type {any} */ { slide, width, height }) => size(slide, width, height));

  // What has left the view isn't wanted any more; what has failed is asked for again.
  pswp.on('contentDestroy', (/** @type {any} */ { content }) => {
    if (!(content.element instanceof HTMLImageElement) || content.element.complete) return;
    content.element.removeAttribute('srcset');
    content.element.removeAttribute('src');
  });
  pswp.on('loadError', (/** @type {any} */ { content }) => {
    const { index } = content;
    const number = (tries.get(index) ?? 0) + 1;
    tries.set(index, number);
    if (number > 4) return;
    const timer = window.setTimeout(
      () => {
        timers.delete(timer);
        if (!pswp.isDestroying && Math.abs(pswp.currIndex - index) < 2) pswp.refreshSlideContent(index);
      },
      1000 * 2 ** number,
    );
    timers.add(timer);
  });
  pswp.on('loadComplete', (/** @type {any} */ { content, isError }) => isError || tries.delete(content.index));

  /**
   * @param {any} slide
   * @param {number} width
   * @param {number} height
   */
  function size(slide, width, height) {
    const sheet = slide.container.querySelector('.boxes');
    if (!sheet) return;
    sheet.style.width = `${width}px`;
    sheet.style.height = `${height}px`;
  }

  /** @param {any} slide */
  function drawOn(slide) {
    const sheet = slide?.container.querySelector('.boxes');
    if (!sheet) return;
    const job = jobs.job(documents.id(slide.index));
    if (job && slide.content.element instanceof HTMLImageElement)
      slide.content.element.alt = item(documents, slide.index).alt;
    sheet.replaceChildren(...(job && hasBoxes ? boxes(job) : []));
  }

  /** @param {any} event */
  function key(event) {
    const { key: pressed, target } = event.originalEvent;
    const isReading = target instanceof Element && target.closest('.facts') && /^Arrow(Up|Down)$/.test(pressed);
    // Tab goes as it does in any dialog.
    if (pressed === 'Tab' || isReading) return event.preventDefault();
    const slide = pswp.currSlide;
    if (!slide?.isZoomable()) return;
    const levels = /** @type {Record<string, number>} */ ({
      '+': slide.currZoomLevel * 1.5,
      '=': slide.currZoomLevel * 1.5,
      '-': slide.currZoomLevel / 1.5,
      0: slide.zoomLevels.initial,
    });
    if (!(pressed in levels) || event.originalEvent.ctrlKey || event.originalEvent.metaKey) return;
    const {
      zoomLevels: { initial, max },
    } = slide;
    slide.zoomTo(Math.min(Math.max(initial, levels[pressed]), max), undefined, moves ? 150 : 0);
  }

  pswp.init();
  pswp.element.removeAttribute('role');
  return {
    show(next) {
      if (next !== pswp.currIndex) pswp.goTo(next);
    },
    draw(on) {
      hasBoxes = on;
      for (const { slide } of pswp.mainScroll.itemHolders) {
        // Once its size is known, a small picture isn't drawn larger than a large one.
        const job = slide && jobs.job(documents.id(slide.index));
        if (slide?.data.isGuess && job?.detection?.width && job.detection.height) pswp.refreshSlideContent(slide.index);
        else drawOn(slide);
      }
    },
    fit() {
      pswp.updateSize(true);
    },
    end() {
      for (const timer of timers) clearTimeout(timer);
      if (!pswp.isDestroying) pswp.destroy();
    },
  };
}

/**
 * What PhotoSwipe is told of a picture.
 *
 * @param {import('../documents.js').Documents} documents
 * @param {number} place
 */
function item(documents, place) {
  const id = documents.id(place);
  const job = jobs.job(id);
  const alt = `${job?.name ?? `picture ${id}`}, ${documents.words(place)}`;
  if (documents.look(place) === unreadable) return { html: `<p class="message">${cantBeRead}</p>`, alt };
  const found = job?.detection;
  const isGuess = !found?.width || !found.height;
  const aspect = isGuess ? documents.aspect(place) : Number(found.width) / Number(found.height);
  const longest = isGuess ? large : Math.min(large, Math.max(Number(found.width), Number(found.height)));
  /** @param {number} side */
  const wide = (side) => Math.max(1, Math.round(side * Math.min(1, aspect)));
  // However narrow it is, there is a line of it: PhotoSwipe draws what it rounds to nothing as wide as the window.
  const least = Math.ceil(longest / 400);
  const high = Math.max(least, Math.round(longest / Math.max(1, aspect)));
  const path = urlOf(`/v1/jobs/${id}/picture`);
  return {
    alt,
    isGuess,
    width: Math.max(least, wide(longest)),
    height: high,
    msrc: `${path}/thumb`,
    src: `${path}/medium`,
    // Whoever looks closer gets more pixels, where there are more.
    srcset:
      wide(longest) > wide(medium) ? `${path}/medium ${wide(medium)}w, ${path}/large ${wide(longest)}w` : undefined,
  };
}
