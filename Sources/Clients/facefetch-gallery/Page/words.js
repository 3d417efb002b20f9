/** Numbers as people read them. */

/** @param {number | null | undefined} bytes */
export function size(bytes) {
  if (bytes === null || bytes === undefined) return '';
  if (bytes < 1000) return `${Math.round(bytes)} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB', 'PB'];
  let value = bytes;
  let unit = -1;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** @param {number} seconds */
export function time(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 86400) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(whole / 86400)} d ${Math.floor((whole % 86400) / 3600)} h`;
}

/**
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/**
 * A moment as the person's own clock shows it.
 *
 * @param {string | null | undefined} text RFC 3339
 */
export function moment(text) {
  if (!text) return '';
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toLocaleString();
}

/**
 * The time of a moment as the person's own clock shows it, and the day where it is another one.
 *
 * @param {string} text RFC 3339
 */
export function clock(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const time = date.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' });
  const now = new Date();
  // Neither of them is torn apart at the end of a line.
  if (date.toDateString() === now.toDateString()) return whole(time);
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric';
  return `${whole(date.toLocaleDateString([], { day: 'numeric', month: 'short', year }))}, ${whole(time)}`;
}

/** @param {string} text */
const whole = (text) => text.replace(/\s/g, '\u00a0');
