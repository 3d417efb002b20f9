/** Reads lists: what is in the box, and files that are dropped there; tables have columns with addresses and names. */

/** @typedef {{line: number, reason: string, name?: string}} Wrong what is wrong on a line, of the box or of a list */

/** The largest list that is taken in, in bytes, and the longest line that can be an address with a name. */
export const longestList = 32_000_000;
const longestLine = 16_384;
/** How many of all that is wrong are told one by one. */
const mostErrors = 1000;

/**
 * The text of a list: UTF-8, or UTF-16 with a byte-order mark; null for what is none. Where bytes are no UTF-8, those
 * of that line are percent-encoded as they are: an address is bytes, whatever they mean to its server.
 *
 * @param {Uint8Array} bytes
 */
export function listText(bytes) {
  const [first, second, third, fourth] = bytes;
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // UTF-32 begins like UTF-16, too.
  if (first === 0xff && second === 0xfe && (third !== 0 || fourth !== 0))
    return new TextDecoder('utf-16le').decode(bytes);
  if (bytes.subarray(0, 1024).includes(0)) return null;
  try {
    return strict.decode(bytes);
  } catch {
    return [...lines(bytes)].join('\n');
  }
}

const strict = new TextDecoder('utf-8', { fatal: true });

/**
 * The lines of bytes that aren't all UTF-8.
 *
 * @param {Uint8Array} bytes
 */
function* lines(bytes) {
  for (let start = 0; start <= bytes.length; ) {
    const at = bytes.indexOf(10, start);
    const end = at < 0 ? bytes.length : at;
    const line = bytes.subarray(start, end);
    start = end + 1;
    try {
      yield strict.decode(line);
    } catch {
      // Nobody reads more than an address is long.
      yield Array.from(line.subarray(0, longestLine + 1), (byte) =>
        byte < 128 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`,
      ).join('');
    }
  }
}

/** What columns are called that have addresses, and names; the best first. */
const addresses = ['url', 'image_url', 'imageurl', 'uri', 'link', 'href', 'src', 'address'];
const names = ['name', 'filename', 'file_name', 'file'];
const address = /^https?:\/\/[^/]/i;

/**
 * The lines for the box; null for a table in which no column has addresses.
 *
 * @param {string} fileName
 * @param {string} text
 */
export function listLines(fileName, text) {
  const ending = /\.(csv|tsv)$/i.exec(fileName)?.[1].toLowerCase();
  // A program that writes tables may put a mark of its encoding first.
  const plain = text.replace(/^\uFEFF/, '');
  if (!ending) return plain;
  const head = plain.slice(0, plain.search(/[\r\n]|$/));
  const separator =
    ending === 'tsv'
      ? '\t'
      : [',', ';', '\t'].reduce((best, one) => (head.split(one).length > head.split(best).length ? one : best));
  const rows = readTable(plain, separator);
  const titles = (rows[0] ?? []).map((title) => title.trim().toLowerCase());
  const hasTitles = !titles.some((title) => address.test(title));
  const column = hasTitles ? find(titles, addresses) : titles.findIndex((title) => address.test(title));
  const named = hasTitles ? find(titles, names) : -1;
  const data = hasTitles ? rows.slice(1) : rows;
  // Where no title says it, the first address does.
  const at =
    column >= 0
      ? column
      : (data.find((row) => row.some((cell) => address.test(cell.trim()))) ?? []).findIndex((cell) =>
          address.test(cell.trim()),
        );
  if (at < 0) return null;
  return data
    .filter((row) => (row[at] ?? '').trim() !== '')
    .map((row) => {
      const name = named < 0 ? '' : (row[named] ?? '').replace(/\s+/g, ' ').trim();
      // A blank in an address would begin a comment, before a “#”.
      const url = row[at].trim().replace(/\s/g, encodeURIComponent);
      return `${url}\t${/^["#]|\s#/.test(name) ? `"${name.replaceAll('"', '""')}"` : name}`.trim();
    })
    .join('\n');
}

/**
 * @param {string[]} titles
 * @param {string[]} wanted
 */
function find(titles, wanted) {
  for (const title of wanted) if (titles.includes(title)) return titles.indexOf(title);
  return -1;
}

/**
 * The rows of a table (RFC 4180, with any separator).
 *
 * @param {string} text
 * @param {string} separator
 */
function readTable(text, separator) {
  /** @type {string[][]} */
  const rows = [];
  /** @type {string[]} */
  let row = [];
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"[^${separator}\\r\\n]*|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\r|\\n|$)`,
    'gy',
  );
  for (;;) {
    const found = cell.exec(text);
    if (!found) break;
    row.push(found[1] === undefined ? found[2] : found[1].replaceAll('""', '"'));
    if (found[3] === separator) continue;
    rows.push(row);
    row = [];
    if (cell.lastIndex >= text.length) break;
  }
  return rows;
}

/** @param {string} text */
const withoutComment = (text) => text.replace(/(^|\s)#.*$/, '').trim();

/** A line whose name is in quotation marks, two of which are one in it, and in which a “#” is no comment. */
const quoted = /^([^\t]+)\t\s*"((?:[^"]|"")*)"\s*(?:#.*)?$/;

/** Reads lists: the items, the line of each, and what is wrong. */
export class Reader {
  constructor() {
    /** @type {{url: string, name?: string}[]} */
    this.items = [];
    /** @type {{name?: string, line: number}[]} where each of them is from */
    this.places = [];
    /** @type {Wrong[]} the first lines that can't be taken */
    this.errors = [];
    /** How many of those there are. */
    this.wrongs = 0;
  }

  /**
   * @param {string} text
   * @param {string} [list] its name; the box has none
   */
  read(text, list) {
    const end = /\r\n|\n|\r/g;
    const from = list ? { name: list } : {};
    for (let line = 1, start = 0; start <= text.length; line += 1) {
      const found = end.exec(text);
      const raw = text.slice(start, found?.index);
      start = found ? end.lastIndex : text.length + 1;
      const place = { ...from, line };
      const item = raw.length > longestLine ? tooLong(raw) : readLine(raw);
      if (item === null) continue;
      if ('url' in item) {
        this.items.push(item);
        this.places.push(place);
      } else {
        this.wrongs += 1;
        if (this.errors.length < mostErrors) this.errors.push({ ...place, reason: item.reason });
      }
    }
  }
}

/**
 * A line as an item, or what is wrong with it; null for one that says nothing.
 *
 * @param {string} raw
 * @returns {{url: string, name?: string} | {reason: string} | null}
 */
function readLine(raw) {
  const [, before = '', inMarks = ''] = quoted.exec(raw.trim()) ?? [];
  const isQuoted = before !== '' && withoutComment(before) === before.trim();
  const line = isQuoted ? before.trim() : withoutComment(raw);
  if (line === '') return null;
  const tab = line.indexOf('\t');
  const url = tab < 0 ? line : line.slice(0, tab).trim();
  if (!address.test(url)) return { reason: `“${url.slice(0, 80)}” is no address that begins with http:// or https://` };
  const after = tab < 0 ? '' : line.slice(tab).trim();
  const name = isQuoted ? inMarks.replaceAll('""', '"').trim() : after;
  return name ? { url, name } : { url };
}

/** @param {string} raw */
function tooLong(raw) {
  return { reason: `“${raw.slice(0, 60)}…” is longer than any address` };
}

/**
 * Reads a list: the items, the line of each, and what is wrong.
 *
 * @param {string} text
 */
export function read(text) {
  const reader = new Reader();
  reader.read(text);
  return reader;
}
