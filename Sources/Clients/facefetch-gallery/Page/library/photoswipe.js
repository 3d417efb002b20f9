/**
 * Stands in for PhotoSwipe 5, which scripts/fetch-photoswipe puts in this file's place where it is installed: without
 * it pictures open plainly.
 *
 * @type {any}
 */
const missing = null;
export default missing;
