/** One picture on the wall: its thumbnail, what is said of it, and the boxes on it. */
import { make, set } from '../dom.js';
import { counted, unreadable } from '../documents.js';
import * as jobs from '../jobs.js';
import { boxes } from '../boxes.js';
import { urlOf } from '../prefix.js';

/** How often a thumbnail that fails to load is asked for, until the daemon is heard of again. */
const mostTries = 6;

export class Tile {
  /**
   * @param {import('../documents.js').Documents} documents
   * @param {number} place
   * @param {() => void} open
   */
  constructor(documents, place, open) {
    this.documents = documents;
    this.place = place;
    this.open = open;
    this.id = documents.id(place);
    this.shape = 1;
    this.tries = 0;
    this.retry = 0;
    this.isAsked = false;
    this.isGone = false;
    this.hasBoxes = false;
    this.isChosen = false;
    /** What was heard of it last; also while something newer is asked for. */
    this.job = jobs.job(this.id);
    /** @type {{job: import('../jobs.js').Job, shape: number} | null} what the boxes stand for */
    this.drawn = null;
    this.image = make('img', { alt: '', decoding: 'async', draggable: 'false' });
    this.link = make('a', { href: `#/pictures/${this.id}`, tabindex: -1 }, this.image);
    this.item = make(
      'li',
      { class: 'tile', 'aria-posinset': place + 1, 'aria-setsize': setSize(documents) },
      this.link,
    );
    this.link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.open();
    });
    this.image.addEventListener('load', () => {
      this.tries = 0;
      this.describe();
    });
    this.image.addEventListener('error', () => this.failed());
    this.describe();
  }

  /**
   * The same picture, among other documents.
   *
   * @param {import('../documents.js').Documents} documents
   * @param {number} place
   * @param {() => void} open
   */
  move(documents, place, open) {
    this.documents = documents;
    this.place = place;
    this.open = open;
    set(this.item, 'aria-posinset', place + 1);
    set(this.item, 'aria-setsize', setSize(documents));
    this.describe();
  }

  /**
   * @param {{left: number, top: number, width: number, height: number}} box
   */
  put(box) {
    const { style } = this.item;
    style.transform = `translate(${box.left}px, ${box.top}px)`;
    style.width = `${box.width}px`;
    style.height = `${box.height}px`;
    this.shape = box.width / box.height;
    this.drawBoxes();
  }

  /** Takes it away; what is still on its way isn't wanted any more. */
  drop() {
    this.isGone = true;
    clearTimeout(this.retry);
    this.image.removeAttribute('src');
    this.item.remove();
  }

  /** @param {boolean} isVisible */
  load(isVisible) {
    if (
      !this.image.hasAttribute('src') &&
      this.documents.look(this.place) !== unreadable &&
      this.retry === 0 &&
      this.tries < mostTries
    ) {
      this.image.setAttribute('fetchpriority', isVisible ? 'high' : 'low');
      this.image.src = urlOf(`/v1/jobs/${this.id}/picture/thumb`);
    }
    const job = jobs.job(this.id);
    if (job) return this.hear(job);
    if (!isVisible || this.isAsked) return;
    this.isAsked = true;
    void jobs.load(this.id).then((job) => {
      this.isAsked = false;
      if (job && !this.isGone) this.hear(job);
    });
  }

  /** @param {import('../jobs.js').Job} job */
  hear(job) {
    if (job === this.job) return;
    this.job = job;
    this.describe();
    this.drawBoxes();
  }

  /** A picture that failed to load says so, and is asked for again. */
  failed() {
    if (!this.image.hasAttribute('src')) return;
    this.image.removeAttribute('src');
    this.tries += 1;
    if (this.tries < mostTries) {
      this.retry = window.setTimeout(
        () => {
          this.retry = 0;
          if (!this.isGone) this.load(true);
        },
        Math.min(1000 * 2 ** this.tries, 30000),
      );
    }
    this.describe();
  }

  /** Asks at once for what has failed: whoever didn't answer is back. */
  tryAgain() {
    if (this.tries === 0) return;
    clearTimeout(this.retry);
    this.retry = 0;
    this.tries = 1;
    this.load(true);
  }

  /** @param {boolean} on */
  choose(on) {
    if (this.isChosen === on) return;
    this.isChosen = on;
    this.link.classList.toggle('chosen', on);
    this.describe();
  }

  /** Says what it shows. */
  describe() {
    const name = this.job?.name ?? `picture ${this.id}`;
    const words = this.documents.words(this.place);
    const text = `${name}, ${words}${this.isChosen ? ', chosen' : ''}`;
    set(this.item, 'aria-label', text);
    set(this.link, 'aria-label', text);
    const faces = this.documents.faces(this.place);
    const look = this.documents.look(this.place);
    set(this.link, 'data-faces', look === counted && faces > 0 ? (faces === 255 ? '255+' : faces) : null);
    let word = null;
    if (look === unreadable) word = `${name}\n${words}`;
    else if (this.tries > 0)
      word = `${name}\ncan’t be shown ${this.tries < mostTries ? 'yet, is asked for again' : 'now'}`;
    set(this.link, 'data-word', word);
  }

  drawBoxes() {
    const job = this.hasBoxes ? this.job : null;
    if (job === (this.drawn?.job ?? null) && (!job || this.shape === this.drawn?.shape)) return;
    this.drawn = job && { job, shape: this.shape };
    for (const box of this.link.querySelectorAll('.box')) box.remove();
    if (job) this.link.append(...boxes(job, this.shape));
  }
}

/**
 * How many there are; -1 where nobody knows that yet (WAI-ARIA, aria-setsize).
 *
 * @param {import('../documents.js').Documents} documents
 */
function setSize(documents) {
  return documents.isWhole ? documents.length : -1;
}
