/** Lays pictures out in rows of equal width: pure arithmetic over typed arrays, 4 ms for 100,000. */

/** @typedef {import('../documents.js').Documents} Documents */

export const gap = 4;

/** Browsers draw nothing beyond some 17 million pixels; taller walls are scrolled in proportion. */
const tallest = 8_000_000;

export class Rows {
  /**
   * @param {Documents} documents
   * @param {number} width of the wall, in pixels
   * @param {number} wanted height of a row
   */
  constructor(documents, width, wanted) {
    const count = documents.length;
    this.width = width;
    this.left = new Float32Array(count);
    this.wide = new Float32Array(count);
    /** The row of each picture. */
    this.rowOf = new Uint32Array(count);
    /** @type {number[]} the first picture of each row, and the end */
    this.first = [];
    /** @type {number[]} */
    this.top = [];
    /** @type {number[]} */
    this.high = [];
    let start = 0;
    let sum = 0;
    let y = 0;
    for (let place = 0; place < count; place += 1) {
      // Panoramas and receipts are cut to a shape that leaves room for others.
      sum += Math.min(Math.max(documents.aspect(place), 0.4), 4);
      const room = width - gap * (place - start);
      const isLast = place === count - 1;
      if (sum * wanted < room && !isLast) continue;
      const height = isLast ? Math.min(room / sum, wanted * 1.25) : room / sum;
      let x = 0;
      for (let index = start; index <= place; index += 1) {
        const wide = Math.min(Math.max(documents.aspect(index), 0.4), 4) * height;
        this.left[index] = x;
        this.wide[index] = wide;
        this.rowOf[index] = this.first.length;
        x += wide + gap;
      }
      this.first.push(start);
      this.top.push(y);
      this.high.push(height);
      y += height + gap;
      start = place + 1;
      sum = 0;
    }
    this.first.push(count);
    /** How tall all rows are together. */
    this.total = Math.max(0, y - gap);
    /** How tall the wall is on the page. */
    this.height = Math.min(this.total, tallest);
  }

  get count() { return this.top.length; }

  /**
   * How far all rows are moved down from where they are on the page.
   *
   * @param {number} scroll
   * @param {number} window
   */
  shift(scroll, window) {
    if (this.total === this.height) return 0;
    const most = Math.max(1, this.height - window);
    const ratio = Math.min(1, Math.max(0, scroll / most));
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
    const y = Math.max(0, this.top[this.rowOf[place]] - from);
    if (this.total === this.height) return y;
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
