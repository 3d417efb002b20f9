/**
 * Reads lists beside the page, which goes on meanwhile: a file by pieces, and what is posted of it. It answers one
 * question after the other.
 */
import { listLines, listText, longestList, Reader } from './list-file.js';

/**
 * @typedef {{text: string, list: number[], most: number, bytes: number}} Wanted what is to be added: the text in the
 *   box and the lists that were taken in, at most so many items and bytes a batch
 * @typedef {{file: File, number: number} | {gone: number[]} | Wanted} Question a file to take in, under a number; lists
 *   to forget; or what is to be added
 * @typedef {import('./list-file.js').Wrong} Wrong
 * @typedef {{refused: 'large' | 'binary' | 'columns' | 'unreadable'}} Refused
 * @typedef {{list: number, items: number, wrong: number, text: string | null}} Taken a list; its text, if short
 * @typedef {{bodies: {body: Blob, items: number}[], wrong: Wrong[], wrongs: number}} Ready
 */

/** Bytes after which a text is too long to be put into the box, where each letter is laid out. */
const short = 20_000;

/** Bytes around the items of a body. */
const around = 16;

/** What has been taken in and is too long for the box, by its number. */
/** @type {Map<number, {name: string, text: string}>} */
const lists = new Map();
/** What was posted last, by batches: which line of what each item is. */
/** @type {{name?: string, line: number}[][]} */
let places = [];

/**
 * @param {File} file
 * @param {number} number
 */
async function open(file, number) {
  if (file.size > longestList) return { refused: 'large' };
  // Its first kilobyte tells whether it is one; a photograph isn't read any further.
  if (listText(new Uint8Array(await file.slice(0, 1024).arrayBuffer())) === null) return { refused: 'binary' };
  const text = listText(new Uint8Array(await file.arrayBuffer()));
  const lines = text === null ? null : listLines(file.name, text);
  if (lines === null) return { refused: text === null ? 'binary' : 'columns' };
  const reader = new Reader();
  reader.read(lines);
  const isShort = lines.length <= short;
  if (!isShort) lists.set(number, { name: file.name, text: lines });
  return { list: number, items: reader.items.length, wrong: reader.wrongs, text: isShort ? lines : null };
}

/** @param {{text: string, list: number[], most: number, bytes: number}} question */
function prepare({ text, list, most, bytes }) {
  const reader = new Reader();
  reader.read(text);
  for (const number of list) {
    const one = lists.get(number);
    // Another worker had it, which has ended: without it, this would be less than the page shows.
    if (!one) return { refused: 'unreadable' };
    reader.read(one.text, one.name);
  }
  const { items, places: all, errors: wrong, wrongs } = reader;
  const bodies = [];
  places = [];
  for (let start = 0; wrongs === 0 && start < items.length; ) {
    const texts = [];
    let room = bytes - around;
    for (const item of items.slice(start, start + most)) {
      const text = JSON.stringify(item);
      room -= utf8Length(text) + 1;
      // One that is larger than all of them may be goes alone, and the daemon says what it thinks of it.
      if (room < 0 && texts.length > 0) break;
      texts.push(text);
    }
    bodies.push({ body: new Blob([`{"items":[${texts.join(',')}]}`]), items: texts.length });
    places.push(all.slice(start, start + texts.length));
    start += texts.length;
  }
  return { bodies, wrong, wrongs };
}

/**
 * How many bytes a text takes, or a few more.
 *
 * @param {string} text
 */
function utf8Length(text) {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) length += code > 0x7ff ? 2 : 1;
  }
  return length;
}

self.addEventListener('message', async (event) => {
  const { id, question } = event.data;
  let answer;
  try {
    if ('file' in question) answer = await open(question.file, question.number);
    else if ('gone' in question) answer = question.gone.map((/** @type {number} */ number) => lists.delete(number));
    else if ('places' in question)
      answer = question.places.map((/** @type {number} */ at) => places[question.batch]?.[at]);
    else answer = prepare(question);
  } catch {
    answer = { refused: 'unreadable' };
  }
  self.postMessage({ id, answer });
});
