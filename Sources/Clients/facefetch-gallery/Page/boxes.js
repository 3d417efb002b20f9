/** Boxes around faces, over a picture of any size. */
import { make } from './dom.js';

/**
 * Whether an engine says how sure it is of a face: Haar cascades have a score, which goes up to no number.
 *
 * @param {import('./jobs.js').Detection} found
 */
export function isSure(found) {
  return !found.engine.startsWith('haar');
}

/**
 * The boxes of a job's faces, placed by shares of the picture's sides.
 *
 * @param {import('./jobs.js').Job} job
 * @param {number | null} [shape] width ÷ height of what is shown, where the picture's edges are cut off to fill it
 * @returns {HTMLElement[]}
 */
export function boxes(job, shape = null) {
  const found = job.detection;
  if (!found || !found.width || !found.height) return [];
  let { width, height } = { width: found.width, height: found.height };
  let [left, top] = [0, 0];
  if (shape !== null) {
    const own = width / height;
    if (own > shape) {
      left = (width - height * shape) / 2;
      width = height * shape;
    } else {
      top = (height - width / shape) / 2;
      height = width / shape;
    }
  }
  return found.faces.map((face, number) => {
    const box = make('span', {
      class: 'box',
      'data-face': number + 1,
      'data-sure': isSure(found) ? face.confidence.toFixed(2) : null,
    });
    box.style.left = `${((face.x - left) / width) * 100}%`;
    box.style.top = `${((face.y - top) / height) * 100}%`;
    box.style.width = `${(face.width / width) * 100}%`;
    box.style.height = `${(face.height / height) * 100}%`;
    return box;
  });
}
