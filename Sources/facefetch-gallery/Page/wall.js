/** The wall: a page-high window on rows of any number of pictures. */
import { make, set } from './dom.js';
import { Rows, gap } from './rows.js';
import { Documents, counted, unreadable } from './documents.js';
import * as jobs from './jobs.js';
import { boxes } from './boxes.js';

/** Faster than this, in pixels a millisecond, nobody sees a picture, and none is asked for. */
const fast = 6;
/** Milliseconds after the last movement at which what is there is fetched. */
const rest = 80;

/** @typedef {{item: HTMLLIElement, link: HTMLAnchorElement, image: HTMLImageElement, place: number, id: number, tries: number, retry: number, isAsked: boolean}} Tile */

export class Wall {
  /** @param {{open: (id: number) => void, seen: (visible: number[], near: number[]) => void}} acts */
  constructor(acts) {
    this.acts = acts;
    this.documents = new Documents(new ArrayBuffer(0));
    this.rows = new Rows(this.documents, 1, 1);
    /** @type {Map<number, Tile>} by place */
    this.tiles = new Map();
    this.hasBoxes = false;
    this.focus = 0;
    this.isAway = false;
    this.speed = 0;
    this.lastY = 0;
    this.lastTime = 0;
    this.frame = 0;
    this.timer = 0;
    this.list = make('ul', { class: 'wall', 'aria-label': 'Pictures', onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event), onfocusin: (/** @type {FocusEvent} */ event) => this.focused(event) });
    this.scrolled = this.scrolled.bind(this);
    this.resized = this.resized.bind(this);
    window.addEventListener('scroll', this.scrolled, { passive: true });
    this.observer = new ResizeObserver(this.resized);
    this.observer.observe(this.list);
  }

  /** Ends it: nothing is listened to or asked for any more. */
  end() {
    window.removeEventListener('scroll', this.scrolled);
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    for (const tile of this.tiles.values()) this.drop(tile);
    this.tiles.clear();
  }

  /**
   * Shows other documents; what is looked at stays where it is.
   *
   * @param {Documents} documents
   */
  show(documents) {
    const anchor = this.isAtTop ? null : this.anchor();
    const focused = this.documents.length > 0 ? this.documents.id(this.focus) : 0;
    const hadFocus = this.list.contains(document.activeElement);
    this.documents = documents;
    for (const tile of this.tiles.values()) this.drop(tile);
    this.tiles.clear();
    this.lay();
    this.focus = Math.max(0, documents.place(focused));
    if (anchor) {
      const place = documents.place(anchor.id);
      if (place >= 0) window.scrollTo(0, this.origin + this.rows.scrollTo(place, anchor.from, innerHeight));
    }
    this.draw();
    if (hadFocus) this.tiles.get(this.focus)?.link.focus({ preventScroll: true });
  }

  /**
   * Takes over what is known now of the documents that are shown, without moving any.
   *
   * @param {Documents} documents
   */
  refresh(documents) {
    const fresh = new Map();
    for (let place = 0; place < documents.length; place += 1) fresh.set(documents.id(place), place);
    const { view } = this.documents;
    for (let place = 0; place < this.documents.length; place += 1) {
      const now = fresh.get(this.documents.id(place));
      if (now === undefined) continue;
      view.setUint8(place * 8 + 6, documents.view.getUint8(now * 8 + 6));
      view.setUint8(place * 8 + 7, documents.view.getUint8(now * 8 + 7));
    }
    for (const tile of this.tiles.values()) this.describe(tile);
  }

  /** @param {boolean} on */
  showBoxes(on) {
    this.hasBoxes = on;
    for (const tile of this.tiles.values()) void this.drawBoxes(tile);
  }

  get isAtTop() { return window.scrollY < 40; }

  /** Where the wall begins on the page. */
  get origin() { return this.list.getBoundingClientRect().top + window.scrollY; }

  /**
   * Puts the keyboard on a picture.
   *
   * @param {number} id
   */
  focusOn(id) {
    const place = this.documents.place(id);
    if (place >= 0) this.moveTo(place);
  }

  lay() {
    const width = this.list.clientWidth;
    const wanted = width < 500 ? 120 : width < 1000 ? 180 : 220;
    this.rows = new Rows(this.documents, width, wanted);
    this.list.style.height = `${this.rows.height}px`;
    this.width = width;
  }

  resized() {
    if (this.list.clientWidth === this.width || !this.list.isConnected) return;
    this.show(this.documents);
  }

  /** The picture at the top of the window, and how far below it that is. */
  anchor() {
    const origin = this.origin;
    const y = window.scrollY - origin;
    const shift = this.rows.shift(y, innerHeight);
    if (this.rows.count === 0) return null;
    const row = this.rows.rowAt(y - shift + 120);
    return { id: this.documents.id(this.rows.first[row]), from: this.rows.top[row] - (y - shift) };
  }

  scrolled() {
    const now = performance.now();
    const y = window.scrollY;
    const passed = now - this.lastTime;
    if (passed > 0) this.speed = Math.abs(y - this.lastY) / Math.max(passed, 4);
    this.lastY = y;
    this.lastTime = now;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.speed = 0;
      this.draw();
    }, rest);
    if (!this.frame) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.draw();
      });
    }
  }

  /** Makes the tiles that can be seen, and takes away the others. */
  draw() {
    if (!this.list.isConnected) return;
    const window_ = innerHeight;
    const y = window.scrollY - this.origin;
    const shift = this.rows.shift(y, window_);
    const top = y - shift;
    let [from, to] = [0, 0];
    if (this.rows.count > 0) {
      from = this.rows.first[Math.max(0, this.rows.rowAt(top) - 1)];
      to = this.rows.first[Math.min(this.rows.count, this.rows.rowAt(top + window_) + 2)];
    }
    for (const [place, tile] of this.tiles) {
      if (place >= from && place < to) continue;
      if (tile.link === document.activeElement) continue;
      this.drop(tile);
      this.tiles.delete(place);
    }
    /** @type {number[]} */
    const visible = [];
    /** @type {number[]} */
    const near = [];
    for (let place = from; place < to; place += 1) {
      const row = this.rows.rowOf[place];
      const tile = this.tiles.get(place) ?? this.add(place);
      const height = this.rows.high[row];
      const { style } = tile.item;
      style.transform = `translate(${this.rows.left[place]}px, ${this.rows.top[row] + shift}px)`;
      style.width = `${this.rows.wide[place]}px`;
      style.height = `${height}px`;
      const isVisible = this.rows.top[row] + height > top && this.rows.top[row] < top + window_;
      (isVisible ? visible : near).push(tile.id);
      if (this.speed <= fast) this.load(tile, isVisible);
    }
    if (this.speed <= fast) this.acts.seen(visible, near);
    // There is always one that Tab comes to.
    if (!this.tiles.has(this.focus)) for (const tile of this.tiles.values()) tile.link.tabIndex = -1;
    const stop = this.tiles.get(this.focus) ?? this.tiles.get(this.first(visible));
    if (stop) stop.link.tabIndex = 0;
  }

  /** @param {number[]} visible */
  first(visible) {
    for (const [place, tile] of this.tiles) if (tile.id === visible[0]) return place;
    return -1;
  }

  /**
   * @param {number} place
   * @returns {Tile}
   */
  add(place) {
    const id = this.documents.id(place);
    const image = make('img', { alt: '', decoding: 'async', draggable: 'false' });
    const link = make('a', { href: `#/pictures/${id}`, tabindex: place === this.focus ? 0 : -1 }, image);
    const item = make('li', { class: 'tile', 'aria-posinset': place + 1, 'aria-setsize': this.documents.length }, link);
    /** @type {Tile} */
    const tile = { item, link, image, place, id, tries: 0, retry: 0, isAsked: false };
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.focus = tile.place;
      this.acts.open(id);
    });
    image.addEventListener('load', () => {
      tile.tries = 0;
      this.describe(tile);
    });
    image.addEventListener('error', () => this.failed(tile));
    this.tiles.set(place, tile);
    this.describe(tile);
    // Screen readers go by the order of the document.
    let before = null;
    for (let next = place + 1; next <= place + 24 && !before; next += 1) before = this.tiles.get(next)?.item ?? null;
    this.list.insertBefore(item, before);
    return tile;
  }

  /** @param {Tile} tile */
  drop(tile) {
    clearTimeout(tile.retry);
    // What is still on its way isn't wanted any more.
    tile.image.removeAttribute('src');
    tile.item.remove();
  }

  /**
   * @param {Tile} tile
   * @param {boolean} isVisible
   */
  load(tile, isVisible) {
    if (!tile.image.hasAttribute('src') && this.documents.look(tile.place) !== unreadable && tile.retry === 0 && tile.tries < 6) {
      tile.image.setAttribute('fetchpriority', isVisible ? 'high' : 'low');
      tile.image.src = `/v1/jobs/${tile.id}/picture/thumb`;
    }
    if (!isVisible || tile.isAsked) return;
    tile.isAsked = true;
    void jobs.load(tile.id).then(() => {
      if (this.tiles.get(tile.place) !== tile) return;
      this.describe(tile);
      void this.drawBoxes(tile);
    });
  }

  /**
   * A picture that failed to load says so, and is asked for again.
   *
   * @param {Tile} tile
   */
  failed(tile) {
    if (!tile.image.hasAttribute('src')) return;
    tile.image.removeAttribute('src');
    tile.tries += 1;
    const wait = Math.min(1000 * 2 ** tile.tries, 30000);
    tile.retry = window.setTimeout(() => {
      tile.retry = 0;
      if (this.tiles.get(tile.place) === tile && tile.tries < 6) this.load(tile, true);
    }, wait);
    this.describe(tile);
  }

  /**
   * Says what a tile shows.
   *
   * @param {Tile} tile
   */
  describe(tile) {
    const job = jobs.job(tile.id);
    const name = job?.name ?? `picture ${tile.id}`;
    const words = this.documents.words(tile.place);
    const text = `${name}, ${words}`;
    set(tile.item, 'aria-label', text);
    set(tile.link, 'aria-label', text);
    const faces = this.documents.faces(tile.place);
    const look = this.documents.look(tile.place);
    set(tile.link, 'data-faces', look === counted && faces > 0 ? (faces === 255 ? '255+' : faces) : null);
    let word = null;
    if (look === unreadable) word = `${name}\n${words}`;
    else if (tile.tries > 0) word = `${name}\ncan't be shown yet`;
    set(tile.link, 'data-word', word);
  }

  /** @param {Tile} tile */
  async drawBoxes(tile) {
    const there = tile.link.querySelector('.box');
    if (!this.hasBoxes) {
      for (const box of tile.link.querySelectorAll('.box')) box.remove();
      return;
    }
    if (there) return;
    const job = jobs.job(tile.id);
    if (job) tile.link.append(...boxes(job, this.rows.wide[tile.place] / this.rows.high[this.rows.rowOf[tile.place]]));
  }

  // The keyboard.

  /** @param {FocusEvent} event */
  focused(event) {
    for (const tile of this.tiles.values()) {
      const isIt = tile.link === event.target;
      tile.link.tabIndex = isIt ? 0 : -1;
      if (isIt) this.focus = tile.place;
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(innerHeight / (this.rows.high[0] + gap)) - 1);
    /** @type {Record<string, () => number>} */
    const moves = {
      ArrowLeft: () => this.focus - 1,
      ArrowRight: () => this.focus + 1,
      ArrowUp: () => this.rows.neighbour(this.focus, -1),
      ArrowDown: () => this.rows.neighbour(this.focus, 1),
      PageUp: () => this.rows.neighbour(this.focus, -page),
      PageDown: () => this.rows.neighbour(this.focus, page),
      Home: () => 0,
      End: () => this.documents.length - 1,
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    this.moveTo(Math.min(this.documents.length - 1, Math.max(0, move())));
  }

  /** @param {number} place */
  moveTo(place) {
    this.focus = place;
    const row = this.rows.rowOf[place];
    const y = window.scrollY - this.origin;
    const top = y - this.rows.shift(y, innerHeight);
    const above = 120;
    let target = null;
    if (this.rows.top[row] < top + above) target = this.rows.scrollTo(place, above, innerHeight);
    else if (this.rows.top[row] + this.rows.high[row] > top + innerHeight) {
      target = this.rows.scrollTo(place, innerHeight - this.rows.high[row] - 16, innerHeight);
    }
    if (target !== null) window.scrollTo(0, this.origin + target);
    this.speed = 0;
    this.draw();
    this.tiles.get(place)?.link.focus({ preventScroll: true });
  }
}
