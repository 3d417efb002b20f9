/** All documents, from one small index: eight bytes each, or twelve with times, however many there are. */
import { bytes } from './api.js';
import { withQuery } from './query.js';

export const counted = 1;
export const unreadable = 2;

/** More than fit into any window: what is shown while the rest is still on its way. */
const first = 400;

/** An index that has been read. */
export class Documents {
  /**
   * @param {ArrayBuffer} buffer
   * @param {boolean} isWhole whether no others follow
   * @param {boolean} hasTimes whether it says when each came
   */
  constructor(buffer, isWhole = true, hasTimes = false) {
    this.view = new DataView(buffer);
    this.size = entrySize(hasTimes);
    this.length = Math.floor(buffer.byteLength / this.size);
    this.isWhole = isWhole;
    this.hasTimes = hasTimes;
  }

  /** @param {number} place */
  id(place) {
    return this.view.getUint32(place * this.size, true);
  }
  /**
   * Width divided by height; what isn't known yet is taken for a usual photograph.
   *
   * @param {number} place
   */
  aspect(place) {
    return (this.view.getUint16(place * this.size + 4, true) || 1333) / 1000;
  }
  /** @param {number} place */
  faces(place) {
    return this.view.getUint8(place * this.size + 6);
  }
  /**
   * 0 not looked at, 1 counted, 2 not readable.
   *
   * @param {number} place
   */
  look(place) {
    return this.view.getUint8(place * this.size + 7) & 3;
  }

  /**
   * When it came, in seconds since 1970; 0 where nobody knows.
   *
   * @param {number} place
   */
  time(place) {
    return this.hasTimes ? this.view.getUint32(place * this.size + 8, true) : 0;
  }

  /**
   * The place of a job; -1 where it isn't among them.
   *
   * @param {number} id
   */
  place(id) {
    for (let place = 0; place < this.length; place += 1) if (this.id(place) === id) return place;
    return -1;
  }

  /**
   * What came of looking, in words.
   *
   * @param {number} place
   */
  words(place) {
    switch (this.look(place)) {
      case counted: {
        const faces = this.faces(place);
        return faces === 255 ? '255 or more faces' : `${faces} ${faces === 1 ? 'face' : 'faces'}`;
      }
      case unreadable:
        return 'unreadable';
      default:
        return 'not looked at';
    }
  }

  /**
   * Takes over what came of looking at these, where others know it.
   *
   * @param {Documents} others
   */
  learn(others) {
    const fresh = new Map();
    for (let place = 0; place < others.length; place += 1) fresh.set(others.id(place), place);
    for (let place = 0; place < this.length; place += 1) {
      const now = fresh.get(this.id(place));
      if (now === undefined) continue;
      this.view.setUint8(place * this.size + 6, others.view.getUint8(now * others.size + 6));
      this.view.setUint8(place * this.size + 7, others.view.getUint8(now * others.size + 7));
    }
  }

  /**
   * How many of these aren't among others.
   *
   * @param {Documents} others
   */
  countNew(others) {
    if (this.length === 0) return 0;
    const known = new Set();
    for (let place = 0; place < others.length; place += 1) known.add(others.id(place));
    let fresh = 0;
    for (let place = 0; place < this.length; place += 1) if (!known.has(this.id(place))) fresh += 1;
    return fresh;
  }
}

/** @param {boolean} hasTimes */
const entrySize = (hasTimes) => (hasTimes ? 12 : 8);

/**
 * @param {URLSearchParams} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<{buffer: ArrayBuffer, hasTimes: boolean}>}
 */
async function index(query, signal) {
  // Days are of use where pictures stand in the order in which they came.
  const hasTimes = (query.get('order') ?? 'newest') === 'newest';
  const wanted = new URLSearchParams(query);
  if (hasTimes) wanted.set('times', 'true');
  return { buffer: await bytes(withQuery('/v1/documents/index', wanted), signal), hasTimes };
}

/**
 * Reads the index.
 *
 * @param {URLSearchParams} filters
 * @param {AbortSignal} [signal]
 */
export async function read(filters, signal) {
  const { buffer, hasTimes } = await index(filters, signal);
  return new Documents(buffer, true, hasTimes);
}

/**
 * Reads the beginning of the index, which takes next to no time however many documents there are.
 *
 * @param {AbortSignal} [signal]
 */
export async function readFirst(signal) {
  const { buffer, hasTimes } = await index(new URLSearchParams({ limit: String(first) }), signal);
  return new Documents(buffer, buffer.byteLength < first * entrySize(hasTimes), hasTimes);
}
