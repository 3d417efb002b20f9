/** Jobs of one kind, each with its buttons. */
import { make, say, set } from '../dom.js';
import { describe } from './words.js';
import { nearest, priorityChoice } from './priority.js';

/** @typedef {import('../jobs.js').Job} Job */
/**
 * @typedef {{
 *   marked: import('./choice.js').Choice, steer: (id: number, word: string) => void,
 *   order: (id: number, priority: number) => void, changed: () => void, more: () => void
 * }} Acts
 */

/** @type {Record<string, string>} */
export const labels = { pause: 'Pause', resume: 'Resume', cancel: 'Cancel', retry: 'Retry', dismiss: 'Dismiss' };
const shownAtFirst = 25;
const shownAtMost = 1000;

export class Group {
  /**
   * @param {{title: string, states: string[], words: string[]}} kind
   * @param {Acts} acts
   */
  constructor(kind, acts) {
    this.kind = kind;
    this.acts = acts;
    this.limit = shownAtFirst;
    /** @type {Map<number, ReturnType<Group['row']>>} */
    this.rows = new Map();
    this.tally = make('span', { class: 'tally' });
    this.list = make('ul', { class: 'jobs' });
    this.heading = make('h2', { tabindex: -1 }, kind.title, ' ', this.tally);
    this.all = make('input', {
      type: 'checkbox',
      'aria-label': `Choose all shown: ${kind.title}`,
      onchange: () => this.markAll(),
    });
    this.more = make(
      'button',
      {
        type: 'button',
        hidden: true,
        onclick: () => {
          this.limit = Math.min(shownAtMost, this.limit * 4);
          acts.more();
        },
      },
      'Show more',
    );
    this.section = make(
      'section',
      { class: 'group', hidden: true, 'aria-label': kind.title },
      make('div', { class: 'head' }, kind.words.length > 0 && this.all, this.heading),
      this.list,
      this.more,
    );
  }

  /**
   * Shows these jobs; rows stay where they are, and the keyboard with them.
   *
   * @param {Job[]} items
   * @param {number} total
   * @param {boolean} hasMore whether there are others that nobody has counted
   */
  show(items, total, hasMore) {
    const focused = document.activeElement;
    const had = [...this.list.children].findIndex((item) => item.contains(focused));
    this.section.hidden = total === 0;
    say(this.tally, `${total.toLocaleString('en')}${hasMore ? ' or more' : ''}`);
    this.more.hidden = (items.length >= total && !hasMore) || items.length >= shownAtMost;
    const ids = new Set(items.map((job) => job.id));
    for (const [id, row] of this.rows) {
      if (ids.has(id)) continue;
      row.item.remove();
      this.rows.delete(id);
    }
    for (const [index, job] of items.entries()) {
      const row = this.rows.get(job.id) ?? this.row(job);
      this.rows.set(job.id, row);
      row.update(job);
      if (this.list.children[index] !== row.item) this.list.insertBefore(row.item, this.list.children[index] ?? null);
    }
    // A row that was moved has lost the keyboard.
    if (had >= 0 && focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
    this.all.checked = items.length > 0 && items.every((job) => this.acts.marked.states.has(job.id));
    return had >= 0 && document.activeElement === document.body ? had : -1;
  }

  /**
   * Puts the keyboard where a row was that has gone.
   *
   * @param {number} index
   */
  focus(index) {
    const item = this.list.children[Math.min(index, this.list.children.length - 1)];
    const button = item?.querySelector('button');
    if (button) button.focus();
    return button !== null && button !== undefined;
  }

  /** The jobs that can be seen, and those that are only near. */
  seen() {
    /** @type {{visible: number[], near: number[]}} */
    const seen = { visible: [], near: [] };
    for (const [id, { item }] of this.rows) {
      const { top, bottom } = item.getBoundingClientRect();
      if (bottom > 0 && top < innerHeight) seen.visible.push(id);
      else if (bottom > -innerHeight && top < 2 * innerHeight) seen.near.push(id);
    }
    return seen;
  }

  markAll() {
    for (const row of this.rows.values()) row.mark(this.all.checked);
    this.acts.changed();
  }

  /** @param {Job} first */
  row({ id, state: firstState }) {
    const { marked, steer, order, changed } = this.acts;
    let state = firstState;
    const mark = make('input', {
      type: 'checkbox',
      onchange: () => {
        choose(mark.checked);
        changed();
      },
    });
    /** @param {boolean} on */
    const choose = (on) => void (on ? marked.states.set(id, state) : marked.states.delete(id));
    const name = make('span', { class: 'name' });
    const bar = make('progress', { max: 100, hidden: true });
    const about = make('span', { class: 'about' });
    const priority = priorityChoice('Priority', (value) => order(id, value));
    const { words } = this.kind;
    const buttons = words.map((word) =>
      make('button', { type: 'button', onclick: () => steer(id, word) }, labels[word]),
    );
    const item = make(
      'li',
      {},
      mark,
      name,
      make('div', { class: 'row' }, words.length > 0 && priority, ...buttons),
      bar,
      about,
    );
    let text = '';
    return {
      item,
      /** @param {boolean} on */
      mark(on) {
        choose(on);
        mark.checked = on;
      },
      /** @param {Job} job */
      update(job) {
        state = job.state;
        say(name, job.name);
        name.title = job.url;
        if (text !== job.name) {
          text = job.name;
          mark.setAttribute('aria-label', `Choose ${job.name}`);
          bar.setAttribute('aria-label', `Progress of ${job.name}`);
          priority.setAttribute('aria-label', `Priority of ${job.name}`);
          for (const button of buttons) button.setAttribute('aria-label', `${button.textContent} ${job.name}`);
        }
        mark.checked = marked.states.has(id);
        if (document.activeElement !== priority) priority.value = nearest(job.priority);
        bar.hidden = job.state !== 'downloading';
        if (job.percent === null) bar.removeAttribute('value');
        else bar.value = job.percent;
        set(about, 'class', job.state === 'failed' ? 'about bad' : 'about');
        say(about, describe(job));
      },
    };
  }
}
