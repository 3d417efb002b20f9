/** The wall: a page-high window on rows of any number of pictures. */
import { make } from '../dom.js';
import { Documents } from '../documents.js';
import { DayNames } from './day-names.js';
import { begins } from './days.js';
import { next } from './keys.js';
import { head, Rows } from './rows.js';
import { Scrolling } from './scrolling.js';
import { Tile } from './tile.js';

/** Milliseconds after which a pointer that rests on the wall points at nothing. */
const pointed = 10_000;
/** Pixels between the bars at the top of the page and a picture that the keyboard comes to. */
const margin = 8;

/** @typedef {{id: number, from: number}} Anchor a picture, and how far its row is below the top of the window */

export class Wall {
  /** @param {{open: (id: number) => void, seen: (visible: number[], near: number[]) => void}} acts */
  constructor(acts) {
    this.acts = acts;
    this.documents = new Documents(new ArrayBuffer(0));
    this.rows = new Rows(this.documents, 0, 0);
    /** @type {Map<number, Tile>} by place */
    this.tiles = new Map();
    /** @type {Map<number, Tile>} by id, those of other documents */
    this.old = new Map();
    this.hasBoxes = false;
    this.focus = 0;
    /** Whether the keyboard is to go to the end, which isn't there yet. */
    this.goesToEnd = false;
    this.lastPointed = -Infinity;
    this.covered = 0;
    /** @type {Set<Element>} the bars whose size is watched */
    this.bars = new Set();
    this.list = make('ul', {
      class: 'wall',
      'aria-label': 'Pictures',
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      onfocusin: (/** @type {FocusEvent} */ event) => this.focused(event),
      onpointermove: () => this.point(),
      onpointerdown: () => this.point(),
    });
    this.names = new DayNames(this);
    /** @type {import('./choosing.js').Choosing | null} what is chosen on it */
    this.choosing = null;
    this.scrolling = new Scrolling(() => this.draw());
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.list);
  }

  /** Ends it: nothing is listened to or asked for any more. */
  end() {
    this.scrolling.end();
    this.observer.disconnect();
    document.documentElement.style.removeProperty('scroll-padding-top');
    this.clear();
  }

  clear() {
    for (const tile of this.tiles.values()) tile.drop();
    this.tiles.clear();
    this.names.clear();
  }

  /**
   * Shows other documents; what is looked at stays where it is, and what is shown already isn't made anew.
   *
   * @param {Documents} documents
   * @param {Anchor | null} [anchor] what is to be at the top of the window
   */
  show(documents, anchor = this.isAtTop ? null : this.anchor()) {
    const before = { documents: this.documents, rows: this.rows };
    const focused = this.documents.length > 0 ? this.documents.id(this.focus) : 0;
    const hadFocus = this.list.contains(document.activeElement);
    this.documents = documents;
    this.old = new Map([...this.tiles.values()].map((tile) => [tile.id, tile]));
    this.tiles.clear();
    this.lay(before);
    this.focus = Math.max(0, documents.place(focused));
    if (anchor) {
      const place = documents.place(anchor.id);
      if (place >= 0) window.scrollTo(0, this.origin + this.rows.scrollTo(place, anchor.from, innerHeight));
    }
    this.draw();
    for (const tile of this.old.values()) tile.drop();
    this.old.clear();
    if (hadFocus && this.goesToEnd && documents.isWhole) this.moveTo(documents.length - 1);
    else if (hadFocus) this.tiles.get(this.focus)?.link.focus({ preventScroll: true });
  }

  /**
   * Takes over what is known now of the documents that are shown, without moving any.
   *
   * @param {Documents} documents
   */
  refresh(documents) {
    this.documents.learn(documents);
    for (const tile of this.tiles.values()) tile.describe();
    this.draw();
  }

  /** Asks at once for what failed to load. */
  tryAgain() {
    for (const tile of this.tiles.values()) tile.tryAgain();
    this.draw();
  }

  /** @param {boolean} on */
  showBoxes(on) {
    this.hasBoxes = on;
    for (const tile of this.tiles.values()) {
      tile.hasBoxes = on;
      tile.drawBoxes();
    }
  }

  get isAtTop() {
    return window.scrollY < 40;
  }

  point() {
    this.lastPointed = performance.now();
  }

  /** Milliseconds for which somebody looks at a picture that is shown, not at what comes: none is to move then. */
  get lookedAtFor() {
    if (!this.isAtTop || this.list.contains(document.activeElement)) return Infinity;
    return Math.max(0, this.lastPointed + pointed - performance.now());
  }

  /** Where the wall begins on the page. */
  get origin() {
    return this.list.getBoundingClientRect().top + window.scrollY;
  }

  /** @param {{documents: Documents, rows: Rows}} before */
  lay(before) {
    const width = this.list.clientWidth;
    const wanted = width < 500 ? 120 : width < 1000 ? 180 : 240;
    this.rows = new Rows(this.documents, width, wanted, before);
    this.list.style.height = `${this.rows.height}px`;
    this.width = width;
    this.measure();
  }

  /** Finds out how much of the top of the window is covered by the bars that stay there. */
  measure() {
    this.covered = 0;
    for (const bar of document.querySelectorAll('.bar, .filters')) {
      if (!this.bars.has(bar)) this.observer.observe(bar);
      this.bars.add(bar);
      const { position, top } = getComputedStyle(bar);
      if (position === 'sticky')
        this.covered = Math.max(this.covered, Math.ceil(Number.parseFloat(top) + bar.getBoundingClientRect().height));
    }
    // What is under them when the keyboard comes to it is scrolled out of there.
    document.documentElement.style.setProperty('scroll-padding-top', `${this.covered + margin}px`);
  }

  resized() {
    const before = this.covered;
    if (this.list.isConnected) this.measure();
    if (this.covered > before && this.list.contains(document.activeElement)) this.reveal(this.focus);
    if (this.list.clientWidth === this.width || !this.list.isConnected) return;
    this.show(this.documents);
  }

  /** How far the rows are moved down, and what is then at the top of the window. */
  view() {
    const y = window.scrollY - this.origin;
    const shift = this.rows.shift(y, innerHeight);
    return { shift, top: y - shift };
  }

  /**
   * The picture at the top of the window, and how far below it that is.
   *
   * @returns {Anchor | null}
   */
  anchor() {
    if (this.rows.count === 0) return null;
    const { top } = this.view();
    const row = this.rows.rowAt(top + this.covered);
    return { id: this.documents.id(this.rows.first[row]), from: this.rows.top[row] - top };
  }

  /** Makes the tiles that can be seen, and takes away the others. */
  draw() {
    if (!this.list.isConnected) return;
    const { rows } = this;
    const { shift, top } = this.view();
    let [from, to] = [0, 0];
    if (rows.count > 0) {
      from = rows.first[Math.max(0, rows.rowAt(top) - 1)];
      to = rows.first[Math.min(rows.count, rows.rowAt(top + innerHeight) + 2)];
    }
    for (const [place, tile] of this.tiles) {
      if ((place >= from && place < to) || tile.link === document.activeElement) continue;
      tile.drop();
      this.tiles.delete(place);
    }
    /** @type {number[]} */
    const visible = [];
    /** @type {number[]} */
    const near = [];
    for (let place = from; place < to; place += 1) {
      const row = rows.rowOf[place];
      const tile = this.tiles.get(place) ?? this.add(place);
      tile.put({ left: rows.left[place], top: rows.top[row] + shift, width: rows.wide[place], height: rows.high[row] });
      const isVisible = rows.top[row] + rows.high[row] > top && rows.top[row] < top + innerHeight;
      (isVisible ? visible : near).push(tile.id);
      if (!this.scrolling.isFast) tile.load(isVisible);
    }
    this.names.show(from, to, shift);
    if (!this.scrolling.isFast) this.acts.seen(visible, near);
    // There is always one that Tab comes to.
    const stop = this.tiles.get(this.focus) ?? [...this.tiles.values()].find((tile) => tile.id === visible[0]);
    for (const tile of this.tiles.values()) tile.link.tabIndex = tile === stop ? 0 : -1;
  }

  /** @param {number} place */
  add(place) {
    const id = this.documents.id(place);
    const open = () => {
      this.focus = place;
      this.acts.open(id);
    };
    let tile = this.old.get(id);
    if (tile) tile.move(this.documents, place, open);
    else tile = new Tile(this.documents, place, open);
    this.old.delete(id);
    tile.hasBoxes = this.hasBoxes;
    tile.choose(this.choosing?.ids.has(id) ?? false);
    this.tiles.set(place, tile);
    // Screen readers go by the order of the document.
    let before = null;
    for (let other = place + 1; other <= place + 24 && !before; other += 1)
      before = this.tiles.get(other)?.item ?? null;
    let after = tile.item.nextElementSibling;
    if (after?.matches('.day')) after = after.nextElementSibling;
    if (!tile.item.isConnected || after !== before) this.list.insertBefore(tile.item, before);
    return tile;
  }

  // The keyboard.

  /** @param {FocusEvent} event */
  focused(event) {
    for (const tile of this.tiles.values()) {
      const isIt = tile.link === event.target;
      tile.link.tabIndex = isIt ? 0 : -1;
      if (isIt) this.focus = tile.place;
    }
    // The browser scrolls to what Tab comes to, but where the wall is scrolled in proportion its pixels aren't ours.
    const { target, relatedTarget: from } = event;
    const isTab =
      target instanceof Element &&
      target.matches(':focus-visible') &&
      from instanceof Element &&
      !this.list.contains(from);
    if (isTab) this.reveal(this.focus);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const place = next(event, this.rows, this.focus, this.documents.length - 1);
    if (place === null) return;
    event.preventDefault();
    this.moveTo(place);
    this.goesToEnd = event.key === 'End' && !this.documents.isWhole;
  }

  /**
   * Puts the keyboard on a picture.
   *
   * @param {number} id
   */
  focusOn(id) {
    const place = this.documents.place(id);
    if (place >= 0) this.moveTo(place);
  }

  /** @param {number} place */
  moveTo(place) {
    this.goesToEnd = false;
    this.focus = place;
    this.reveal(place);
    this.scrolling.stop();
    this.draw();
    this.tiles.get(place)?.link.focus({ preventScroll: true });
  }

  /**
   * Scrolls a picture out from under the bars and into the window, unless it is there.
   *
   * @param {number} place
   */
  reveal(place) {
    const { top, high } = this.rows;
    const row = this.rows.rowOf[place];
    const { top: edge } = this.view();
    // The name of the day comes with its first row.
    const least = this.covered + margin + (begins(this.rows.days, this.rows.first[row]) ? head : 0);
    let target = null;
    if (top[row] < edge + least) target = this.rows.scrollTo(place, least, innerHeight);
    else if (top[row] + high[row] > edge + innerHeight)
      target = this.rows.scrollTo(place, Math.max(least, innerHeight - high[row] - 16), innerHeight);
    if (target === null) return;
    window.scrollTo(0, this.origin + target);
    this.draw();
  }
}
