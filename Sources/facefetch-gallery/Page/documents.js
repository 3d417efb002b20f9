/** All documents, from one small index: eight bytes each, however many there are. */
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
   */
  constructor(buffer, isWhole = true) {
    this.view = new DataView(buffer);
    this.length = Math.floor(buffer.byteLength / 8);
    this.isWhole = isWhole;
  }

  /** @param {number} place */
  id(place) {
    return this.view.getUint32(place * 8, true);
  }
  /**
   * Width divided by height; what isn't known yet is taken for a usual photograph.
   *
   * @param {number} place
   */
  aspect(place) {
    return (this.view.getUint16(place * 8 + 4, true) || 1333) / 1000;
  }
  /** @param {number} place */
  faces(place) {
    return this.view.getUint8(place * 8 + 6);
  }
  /**
   * 0 not looked at, 1 counted, 2 not readable.
   *
   * @param {number} place
   */
  look(place) {
    return this.view.getUint8(place * 8 + 7) & 3;
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
      this.view.setUint8(place * 8 + 6, others.view.getUint8(now * 8 + 6));
      this.view.setUint8(place * 8 + 7, others.view.getUint8(now * 8 + 7));
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

/**
 * Reads the index.
 *
 * @param {URLSearchParams} filters
 * @param {AbortSignal} [signal]
 */
export async function read(filters, signal) {
  return new Documents(await bytes(withQuery('/v1/documents/index', filters), signal));
}

/**
 * Reads the beginning of the index, which takes next to no time however many documents there are.
 *
 * @param {AbortSignal} [signal]
 */
export async function readFirst(signal) {
  const buffer = await bytes(withQuery('/v1/documents/index', { limit: first }), signal);
  return new Documents(buffer, buffer.byteLength < first * 8);
}
