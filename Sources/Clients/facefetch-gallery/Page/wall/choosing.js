/**
 * Choosing pictures on the wall: one by one, from one to another with Shift, by dragging over them, and on a touch
 * screen by holding a finger on the first. They stay chosen wherever they go.
 */

/** Milliseconds after which a finger that rests means to choose, and pixels after which a pointer means to drag. */
const held = 500;
const moved = 8;

export class Choosing {
  /**
   * @param {import('./wall.js').Wall} wall
   * @param {() => void} changed
   */
  constructor(wall, changed) {
    this.wall = wall;
    this.changed = changed;
    /** @type {Set<number>} */
    this.ids = new Set();
    /** Whether a click chooses instead of opening. */
    this.isOn = false;
    /** @type {number | null} the picture that was chosen last, from which Shift goes on */
    this.from = null;
    /** @type {{place: number, x: number, y: number, before: Set<number>, isDrag: boolean, isTouch: boolean} | null} */
    this.press = null;
    this.timer = 0;
    /** A click follows a press that has done something already. */
    this.swallows = false;
    const { list } = wall;
    list.addEventListener('pointerdown', (event) => this.pressed(event));
    list.addEventListener('pointermove', (event) => this.dragged(event));
    for (const name of ['pointerup', 'pointercancel', 'pointerleave'])
      list.addEventListener(name, (event) => this.released(event.type === 'pointerup'));
    list.addEventListener('click', (event) => this.clicked(event), { capture: true });
    // What a browser does with a finger that rests, or with a link that is dragged, is in the way.
    list.addEventListener('contextmenu', (event) => this.hold() && event.preventDefault());
    list.addEventListener('dragstart', (event) => event.preventDefault());
    list.addEventListener('keydown', (event) => this.key(event));
  }

  /** @param {boolean} on */
  turn(on) {
    this.isOn = on;
    if (!on) {
      this.ids.clear();
      this.from = null;
    }
    this.show();
  }

  /**
   * Chooses some more, of those that are on the wall, and returns how many these are.
   *
   * @param {number[]} ids
   */
  add(ids) {
    const { documents } = this.wall;
    const more = ids.filter((id) => !this.ids.has(id) && documents.place(id) >= 0);
    for (const id of more) this.ids.add(id);
    this.show();
    return more.length;
  }

  /**
   * Leaves out those that aren't among these any more.
   *
   * @param {import('../documents.js').Documents} documents
   */
  learn(documents) {
    if (this.ids.size === 0) return;
    const there = new Set();
    for (let place = 0; place < documents.length; place += 1)
      if (this.ids.has(documents.id(place))) there.add(documents.id(place));
    this.ids = there;
    this.show();
  }

  show() {
    if (this.ids.size > 0) this.isOn = true;
    this.wall.list.classList.toggle('choosing', this.isOn);
    for (const tile of this.wall.tiles.values()) tile.choose(this.ids.has(tile.id));
    this.changed();
  }

  /** @param {number} place */
  toggle(place) {
    const id = this.wall.documents.id(place);
    if (!this.ids.delete(id)) this.ids.add(id);
    this.from = id;
    this.show();
  }

  /**
   * Chooses all from the one that was chosen last to this one.
   *
   * @param {number} place
   */
  extend(place) {
    const { documents } = this.wall;
    const last = this.from === null ? -1 : documents.place(this.from);
    const start = last < 0 ? this.wall.focus : last;
    for (let at = Math.min(start, place); at <= Math.max(start, place); at += 1) this.ids.add(documents.id(at));
    this.from ??= documents.id(start);
    this.show();
  }

  /** @param {Event} event */
  placeAt({ target }) {
    const item = target instanceof Element ? target.closest('.tile') : null;
    const position = Number(item?.getAttribute('aria-posinset') ?? 0);
    return position > 0 ? position - 1 : null;
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    this.swallows = false;
    const place = this.placeAt(event);
    if (place === null || event.button !== 0 || event.ctrlKey || event.metaKey) return;
    const isTouch = event.pointerType !== 'mouse';
    this.press = { place, x: event.clientX, y: event.clientY, before: new Set(this.ids), isDrag: false, isTouch };
    clearTimeout(this.timer);
    if (isTouch) this.timer = window.setTimeout(() => this.hold(), held);
  }

  /** A finger rests on a picture: true, once or again, where one does. */
  hold() {
    if (!this.press?.isTouch) return this.swallows;
    this.swallows = true;
    this.toggle(this.press.place);
    this.press = null;
    return true;
  }

  /** @param {PointerEvent} event */
  dragged(event) {
    if (!this.press) return;
    const isFar = Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) > moved;
    if (this.press.isTouch) {
      // A finger that moves scrolls.
      if (isFar) this.released(false);
      return;
    }
    if (event.buttons !== 1) return this.released(false);
    if (!isFar && !this.press.isDrag) return;
    this.press.isDrag = true;
    this.swallows = true;
    const place = this.placeAt(event);
    if (place === null) return;
    const { documents } = this.wall;
    this.ids = new Set(this.press.before);
    for (let at = Math.min(this.press.place, place); at <= Math.max(this.press.place, place); at += 1)
      this.ids.add(documents.id(at));
    this.from = documents.id(this.press.place);
    this.show();
  }

  /** @param {boolean} isUp */
  released(isUp) {
    clearTimeout(this.timer);
    if (!isUp && this.press) this.swallows = false;
    this.press = null;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const place = this.placeAt(event);
    if (place === null || event.ctrlKey || event.metaKey) return;
    if (!this.swallows && !event.shiftKey && !this.isOn) return;
    event.preventDefault();
    event.stopPropagation();
    const hasActed = this.swallows;
    this.swallows = false;
    if (hasActed) return;
    if (event.shiftKey) this.extend(place);
    else this.toggle(place);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === 'Escape' && this.isOn) return this.turn(false);
    if (event.key !== ' ' || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (event.shiftKey) this.extend(this.wall.focus);
    else this.toggle(this.wall.focus);
  }
}
