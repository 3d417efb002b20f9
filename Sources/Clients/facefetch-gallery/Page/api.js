/** Asks the daemon, through the gallery. */
import { urlOf } from './prefix.js';
import { currentSecret, dropKey, isDropped } from './session.js';

/** What went wrong, as the API says it (RFC 9457). */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} detail
   * @param {{index: number, field: string, reason: string}[]} [errors]
   */
  constructor(status, code, detail, errors = []) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/** Hears of every answer: null when the daemon answers, or why it can't be reached. */
/** @type {(fault: 'gallery' | 'daemon' | 'session' | null) => void} */
let watch = () => {};

/** @param {(fault: 'gallery' | 'daemon' | 'session' | null) => void} hear */
export function onReach(hear) {
  watch = hear;
}

/**
 * @param {string} path
 * @param {RequestInit} options
 */
async function ask(path, options) {
  const url = urlOf(path);
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(url, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    watch('gallery');
    throw new Problem(0, 'gallery_gone', 'the gallery has ended');
  }
  if (answer.ok) {
    watch(isDropped() ? 'session' : null);
    return answer;
  }
  const body = await answer.json().catch(() => ({}));
  if (body.code === 'daemon_unreachable') watch('daemon');
  else {
    // A gallery that was started anew at this port has others; this tab may have got them meanwhile.
    if ((body.code === 'bad_prefix' || body.code === 'bad_secret') && url === urlOf(path)) dropKey();
    watch(answer.status === 401 || isDropped() ? 'session' : null);
  }
  throw new Problem(answer.status, body.code ?? '', body.detail ?? `status ${answer.status}`, body.errors);
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function get(path, signal) {
  return (await ask(path, { signal })).json();
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<ArrayBuffer>}
 */
export async function bytes(path, signal) {
  return (await ask(path, { signal })).arrayBuffer();
}

/**
 * Changes something.
 *
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [fields]
 * @param {RequestInit} [more]
 * @returns {Promise<any>}
 */
export async function send(method, path, body, fields = {}, more = {}) {
  /** @type {Record<string, string>} */
  const headers = { ...fields, 'X-Facefetch-Secret': currentSecret() ?? '' };
  const options = /** @type {RequestInit} */ ({ ...more, method, headers });
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json';
    options.body = body instanceof Blob ? body : JSON.stringify(body);
  }
  return (await ask(path, options)).json();
}

/** A key that makes a repeated post harmless. */
export function freshKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
