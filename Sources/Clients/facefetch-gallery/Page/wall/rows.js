/** Lays pictures out in rows of equal width, day by day: pure arithmetic over typed arrays, 4 ms for 100,000. */

import { begins, dayFrom, days } from './days.js';

/** @typedef {import('../documents.js').Documents} Documents */
/** @typedef {import('./days.js').Days} Days */

export const gap = 4;
/** How high the name of a day is, above its first row. */
export const head = 40;

/** How many of the first pictures can be gone without all rows being made anew. */
const mostGone = 8;

/** Browsers draw nothing beyond some 17 million pixels; taller walls are scrolled in proportion. */
const tallest = 8_000_000;

export class Rows {
  /**
   * @param {Documents} documents
   * @param {number} width of the wall, in pixels
   * @param {number} wanted height of a row
   * @param {{documents: Documents, rows: Rows} | null} [before] what was shown before: rows of pictures that still
   *   follow one another stay as they are, and of what comes before them only the first two change
   */
  constructor(documents, width, wanted, before = null) {
    const count = documents.length;
    this.width = width;
    this.wanted = wanted;
    this.left = new Float32Array(count);
    this.wide = new Float32Array(count);
    /** The row of each picture. */
    this.rowOf = new Uint32Array(count);
    const shapes = new Float32Array(count);
    for (let place = 0; place < count; place += 1) shapes[place] = shape(documents, place);
    this.days = days(documents);
    const kept = before ? stillThere(before, documents, this) : null;
    const upTo = kept ? this.between(shapes, 0, kept.first[0]) : [];
    /** @type {number[]} the first picture of each row, and the end */
    this.first = upTo.concat(kept?.first ?? [], this.between(shapes, kept?.end ?? 0, count));
    /** @type {number[]} */
    this.top = [];
    /** @type {number[]} */
    this.high = [];
    let y = 0;
    let day = 0;
    for (let row = 0; row < this.first.length; row += 1) {
      const start = this.first[row];
      const end = this.first[row + 1] ?? count;
      if (this.days.first[day] === start) {
        day += 1;
        y += head;
      }
      let sum = 0;
      for (let index = start; index < end; index += 1) sum += shapes[index];
      const room = (width - gap * (end - start - 1)) / sum;
      // The last row of a day that isn't full isn't blown up.
      const height = end === (this.days.first[day] ?? count) ? Math.min(room, wanted * 1.25) : room;
      let x = 0;
      for (let index = start; index < end; index += 1) {
        const wide = shapes[index] * height;
        this.left[index] = x;
        this.wide[index] = wide;
        this.rowOf[index] = row;
        x += wide + gap;
      }
      this.top.push(y);
      this.high.push(height);
      y += height + gap;
    }
    this.first.push(count);
    /** How tall all rows are together. */
    this.total = Math.max(0, y - gap);
    /** How tall the wall is on the page. */
    this.height = Math.min(this.total, tallest);
  }

  get count() {
    return this.top.length;
  }

  /**
   * The first picture of each row of those between two places.
   *
   * @param {Float32Array} shapes of all
   * @param {number} from
   * @param {number} to
   */
  between(shapes, from, to) {
    /** @type {number[]} */
    const rows = [];
    const { first } = this.days;
    let day = dayFrom(this.days, from + 1);
    for (let start = from; start < to; day += 1) {
      const end = Math.min(to, first[day] ?? to);
      // What follows on the same day stands in rows already.
      const isCut = end < shapes.length && end !== first[day];
      const part = shapes.subarray(start, end);
      for (const place of (isCut ? fromTheEnd : fromTheStart)(part, this.width, this.wanted)) rows.push(start + place);
      start = end;
    }
    return rows;
  }

  /**
   * How far all rows are moved down from where they are on the page.
   *
   * @param {number} scroll
   * @param {number} window
   */
  shift(scroll, window) {
    // Above the wall there is more of the page, which isn't scrolled in proportion.
    if (this.total === this.height || scroll <= 0) return 0;
    const most = Math.max(1, this.height - window);
    const ratio = Math.min(1, scroll / most);
    return scroll - ratio * (this.total - window);
  }

  /**
   * The row at a height, by halving.
   *
   * @param {number} y
   */
  rowAt(y) {
    let low = 0;
    let high = this.top.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.top[middle] <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /**
   * The scroll position that shows a place at so many pixels from the top.
   *
   * @param {number} place
   * @param {number} from
   * @param {number} window
   */
  scrollTo(place, from, window) {
    const y = this.top[this.rowOf[place]] - from;
    if (this.total === this.height || y < 0) return y;
    return (y / Math.max(1, this.total - window)) * Math.max(1, this.height - window);
  }

  /**
   * The picture above or below one.
   *
   * @param {number} place
   * @param {number} by rows
   */
  neighbour(place, by) {
    const row = this.rowOf[place] + by;
    if (row < 0 || row >= this.count) return by < 0 ? 0 : this.rowOf.length - 1;
    const middle = this.left[place] + this.wide[place] / 2;
    let best = this.first[row];
    for (let index = best; index < this.first[row + 1]; index += 1) {
      if (this.left[index] <= middle) best = index;
    }
    return best;
  }
}

/**
 * Width divided by height; panoramas and receipts are cut to a shape that leaves room for others.
 *
 * @param {Documents} documents
 * @param {number} place
 */
function shape(documents, place) {
  return Math.min(Math.max(documents.aspect(place), 0.4), 4);
}

/**
 * The rows that can stay as they were: where they begin now, and where the last of them ends; null if there are none.
 *
 * @param {{documents: Documents, rows: Rows}} before
 * @param {Documents} documents
 * @param {{width: number, wanted: number, days: Days}} now
 */
function stillThere({ documents: old, rows }, documents, { width, wanted, days }) {
  if (rows.width !== width || rows.wanted !== wanted || old.length === 0) return null;
  // The first ones may have been forgotten meanwhile.
  let from = 0;
  let place = documents.place(old.id(0));
  while (place < 0 && from + 1 < Math.min(old.length, mostGone)) place = documents.place(old.id(++from));
  if (place < 0) return null;
  const by = place - from;
  let same = from + 1;
  while (same < old.length && by + same < documents.length && old.id(same) === documents.id(by + same)) same += 1;
  const first = [];
  let end = 0;
  // What is new joins the first two of its day; behind the last one there was nothing to fill it up with.
  let row = rows.rowOf[from];
  if (from > 0 || (place > 0 && !begins(days, place))) {
    row += 1;
    if (!begins(rows.days, rows.first[row])) row += 1;
  }
  for (; row < rows.count - 1 && rows.first[row + 1] <= same; row += 1) {
    first.push(rows.first[row] + by);
    end = rows.first[row + 1] + by;
  }
  // A row that ended with its day isn't full.
  while (first.length > 0 && begins(rows.days, end - by) !== begins(days, end))
    end = /** @type {number} */ (first.pop());
  if (first.length === 0) return null;
  // Where the days are others, so are the rows.
  const was = within(rows.days, first[0] - by, end - by);
  const is = within(days, first[0], end);
  return was.length === is.length && was.every((start, index) => start + by === is[index]) ? { first, end } : null;
}

/**
 * Where days begin between two places.
 *
 * @param {Days} days
 * @param {number} from
 * @param {number} to
 */
function within(days, from, to) {
  return days.first.slice(dayFrom(days, from + 1), dayFrom(days, to));
}

/**
 * The first picture of each row, where the last row is what is left.
 *
 * @param {Float32Array} shapes
 * @param {number} width
 * @param {number} wanted
 */
function fromTheStart(shapes, width, wanted) {
  const first = [];
  let start = 0;
  let sum = 0;
  for (let place = 0; place < shapes.length; place += 1) {
    sum += shapes[place];
    if (sum * wanted < width - gap * (place - start) && place < shapes.length - 1) continue;
    first.push(start);
    start = place + 1;
    sum = 0;
  }
  return first;
}

/**
 * The same, where the first row is what is left: it makes one row with the second, or two that are about as wide.
 *
 * @param {Float32Array} shapes
 * @param {number} width
 * @param {number} wanted
 */
function fromTheEnd(shapes, width, wanted) {
  const first = [];
  let end = shapes.length;
  let sum = 0;
  for (let place = shapes.length - 1; place >= 0; place -= 1) {
    sum += shapes[place];
    if (sum * wanted < width - gap * (end - place - 1)) continue;
    first.push(place);
    end = place;
    sum = 0;
  }
  if (end > 0) {
    const next = first.pop() ?? 0;
    const stop = first.at(-1) ?? shapes.length;
    if (next > 0) {
      let all = 0;
      for (let place = 0; place < stop; place += 1) all += shapes[place];
      let part = 0;
      let [cut, best] = [0, 0];
      for (let place = 0; place < stop - 1; place += 1) {
        part += shapes[place];
        const least = Math.min(part, all - part);
        if (least > best) [cut, best] = [place + 1, least];
      }
      // One that is very wide beside one that is narrow can't be divided well.
      if (all * wanted > width * 1.45 && best * wanted > width * 0.5) first.push(cut);
    }
    first.push(0);
  }
  return first.reverse();
}
