/** The path behind which this gallery has all but its page. No browser sends it along by itself, as it does cookies. */
let prefix = '';

/**
 * Asks behind this prefix from now on; behind an empty one, nothing is found.
 *
 * @param {string} value
 */
export function usePrefix(value) {
  prefix = value;
}

/**
 * The URL of a path of the daemon: of whatever is fetched, shown, followed or downloaded.
 *
 * @param {string} path
 */
export function urlOf(path) {
  return prefix + path;
}
