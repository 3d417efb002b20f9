/** Which engine looks for faces, why it isn't the one that was asked for, and how to have the better one. */
import { sentence } from './words.js';

/** @typedef {import('facefetch-api').Status} Status */

/**
 * A sentence about the engine; none while it isn't known, or is one that nobody here knows.
 *
 * @param {Status['detection']} detection
 */
export function engineWords(detection) {
  if (detection.problem) return sentence(detection.problem);
  if (detection.engine === 'yunet') return 'YuNet, a neural network, looks for faces.';
  if (detection.engine !== 'haar') return '';
  return detection.has_network
    ? 'OpenCV’s cascade looks for faces. YuNet is there, too, and finds more: set “detection.engine: auto”.'
    : 'OpenCV’s cascade looks for faces. YuNet finds more, and invents less: “facefetch model install” fetches it.';
}
