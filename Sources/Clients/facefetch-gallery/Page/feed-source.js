/** Follows the daemon's events: without a gap, and no event twice, whatever happens to the connection. */
import { urlOf } from './prefix.js';
import { withQuery } from './query.js';

/**
 * @typedef {import('facefetch-api').Event} JobEvent
 * @typedef {import('facefetch-api').Progress} Progress
 * @typedef {{events: JobEvent[]} | {omitted: number} | {progress: Progress} | {connected: boolean}} News
 */

/** Seconds of the past that are shown at first, the most events of them that are kept, and the most bytes read. */
const past = 600;
const keptPast = 1000;
const mostPast = 256_000_000;

/**
 * The newest events of a batch that are kept, oldest first.
 *
 * @param {number} batch
 * @param {number} newest how many
 * @returns {Promise<JobEvent[]>}
 */
export async function pastOf(batch, newest) {
  const answer = await fetch(urlOf(withQuery('/v1/events', { follow: 'false', batch, newest })));
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return framesIn(await answer.text()).map(eventIn);
}

/** @param {string} text */
const framesIn = (text) => text.split('\n\n').filter((frame) => frame.includes('event: job\n'));

/**
 * @param {string} frame
 * @returns {JobEvent}
 */
const eventIn = (frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6));

export class Feed {
  /** @param {(news: News) => void} tell */
  constructor(tell) {
    this.tell = tell;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {number | null} the last event that was told */
    this.last = null;
    this.since = new Date(Date.now() - past * 1000).toISOString();
    this.wait = 500;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isOpen = false;
    /** How often it has begun: an earlier beginning that is still reading doesn't go on. */
    this.beginnings = 0;
  }

  /** Begins: with what happened in the last minutes, then with what happens. */
  async start() {
    if (this.isOpen) return;
    this.isOpen = true;
    this.beginnings += 1;
    const beginning = this.beginnings;
    if (this.last === null) await this.readPast();
    if (this.isOpen && beginning === this.beginnings) this.follow();
  }

  stop() {
    this.isOpen = false;
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  /** Forgets where it was: the daemon has another store. */
  beginAnew() {
    const wasOpen = this.isOpen;
    this.stop();
    this.last = null;
    this.since = new Date(Date.now() - past * 1000).toISOString();
    if (wasOpen) void this.start();
  }

  async readPast() {
    try {
      const answer = await fetch(urlOf(withQuery('/v1/events', { follow: 'false', since: this.since })));
      if (!answer.ok || !answer.body) return;
      const reader = answer.body.getReader();
      const decoder = new TextDecoder();
      let text = '';
      let length = 0;
      let omitted = 0;
      /** @type {string[]} */
      let frames = [];
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        length += value.length;
        text += decoder.decode(value, { stream: true });
        const pieces = text.split('\n\n');
        text = pieces.pop() ?? '';
        frames = frames.concat(pieces.filter((frame) => frame.includes('event: job\n')));
        // What is too much to be shown is in the event log.
        omitted += Math.max(0, frames.length - keptPast);
        frames = frames.slice(-keptPast);
        if (length > mostPast) {
          void reader.cancel();
          this.since = new Date().toISOString();
          this.tell({ omitted: 0 });
          return;
        }
      }
      if (omitted > 0) this.tell({ omitted });
      this.hear(frames.map(eventIn));
    } catch {
      // The connection says by itself that it can't be made.
    }
  }

  follow() {
    const from = this.last === null ? { since: this.since } : { after: this.last };
    const source = new EventSource(urlOf(withQuery('/v1/events', from)));
    this.source = source;
    source.addEventListener('open', () => {
      this.wait = 500;
      this.tell({ connected: true });
    });
    source.addEventListener('job', (event) => this.hear([JSON.parse(event.data)]));
    source.addEventListener('progress', (event) => this.tell({ progress: JSON.parse(event.data) }));
    source.addEventListener('omitted', (event) => this.tell({ omitted: JSON.parse(event.data).count }));
    for (const name of ['missed', 'gone']) source.addEventListener(name, () => this.tell({ omitted: 0 }));
    source.addEventListener('error', () => {
      // Made anew here, so that it goes on behind the last event whatever the browser does.
      source.close();
      if (this.source !== source || !this.isOpen) return;
      this.tell({ connected: false });
      this.timer = setTimeout(() => this.follow(), this.wait);
      this.wait = Math.min(this.wait * 2, 5000);
    });
  }

  /** @param {JobEvent[]} events */
  hear(events) {
    const fresh = events.filter((event) => this.last === null || event.id > this.last);
    const newest = fresh.at(-1);
    if (!newest) return;
    this.last = newest.id;
    this.tell({ events: fresh });
  }
}
