/** Divides pictures by the days on which they came, as the person's own clock has them. */

/** @typedef {import('../documents.js').Documents} Documents */
/** @typedef {{first: number[], begin: number[]}} Days the first picture of each, and the second at which it begins */

/** Seconds that a clock may be ahead: what came later than that says nothing. */
const ahead = 86_400;

/**
 * The days of pictures of which the newest comes first; none where nobody knows when they came.
 *
 * @param {Documents} documents
 * @returns {Days}
 */
export function days(documents) {
  /** @type {Days} */
  const days = { first: [], begin: [] };
  if (!documents.hasTimes) return days;
  const { length } = documents;
  const times = new Uint32Array(length);
  const latest = Date.now() / 1000 + ahead;
  // A picture was stored after those behind it, however long before that its answer came.
  let time = 0;
  for (let place = length - 1; place >= 0; place -= 1) {
    const own = documents.time(place);
    if (own > time && own <= latest) time = own;
    times[place] = time;
  }
  let begin = Infinity;
  for (let place = 0; place < length; place += 1) {
    if (times[place] >= begin) continue;
    begin = times[place] === 0 ? 0 : beginOf(times[place]);
    days.first.push(place);
    days.begin.push(begin);
  }
  return days;
}

/**
 * The first day that begins at a picture or behind it.
 *
 * @param {Days} days
 * @param {number} place
 */
export function dayFrom({ first }, place) {
  let low = 0;
  let high = first.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (first[middle] < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Whether a day begins with a picture.
 *
 * @param {Days} days
 * @param {number} place
 */
export const begins = (days, place) => days.first[dayFrom(days, place)] === place;

/** @param {number} seconds */
function beginOf(seconds) {
  return new Date(seconds * 1000).setHours(0, 0, 0, 0) / 1000;
}

const thisYear = new Intl.DateTimeFormat([], { weekday: 'long', day: 'numeric', month: 'long' });
const otherYear = new Intl.DateTimeFormat([], { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/**
 * What people call a day.
 *
 * @param {number} begin the second at which it begins; 0 where nobody knows
 * @param {Date} [now]
 */
export function dayName(begin, now = new Date()) {
  if (begin === 0) return 'Without a date';
  const day = new Date(begin * 1000);
  /** @param {number} back */
  const isBack = (back) => {
    const other = new Date(now);
    other.setDate(now.getDate() - back);
    return other.toDateString() === day.toDateString();
  };
  if (isBack(0)) return 'Today';
  if (isBack(1)) return 'Yesterday';
  return (day.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(day);
}
