/** What is under way, what waits and why, what failed and what to do; and the buttons for it. */
import { make, say, set } from './dom.js';
import { get, send, Problem } from './api.js';
import { follow } from './feed.js';
import { watch } from './status.js';
import { count, moment, size, time } from './words.js';

/** @typedef {import('./jobs.js').Job} Job */

/** The groups, in the order in which people ask about them. */
const groups = [
  { title: 'In progress', states: ['downloading', 'detecting'], acts: ['pause', 'cancel'] },
  { title: 'Failed', states: ['failed'], acts: ['retry'] },
  { title: 'Waiting', states: ['waiting'], acts: ['retry', 'pause', 'cancel'] },
  { title: 'Paused', states: ['paused'], acts: ['resume', 'cancel'] },
  { title: 'Queued', states: ['queued'], acts: ['pause', 'cancel'] },
  { title: 'Stored, waiting for face detection', states: ['stored'], acts: [] },
];
/** @type {Record<string, string>} */
const labels = { pause: 'Pause', resume: 'Resume', cancel: 'Cancel', retry: 'Retry' };
const shownAtFirst = 25;
/** What people can choose of the hundreds of priorities there are. */
const priorities = [[50, 'First'], [0, 'Normal'], [-50, 'Last']];

/** @param {HTMLElement} main */
export function showWork(main) {
  /** @type {Set<number>} */
  const marked = new Set();
  /** @type {Map<string, number>} how many of each group are shown */
  const limits = new Map();
  const said = make('p', { role: 'status', class: 'quiet' });
  const gate = make('button', { type: 'button', 'aria-pressed': 'false', onclick: () => void act(gate.getAttribute('aria-pressed') === 'true' ? '/v1/detection/release' : '/v1/detection/hold') }, 'Hold face detection');
  const all = make('div', { class: 'row' },
    make('button', { type: 'button', onclick: () => void act('/v1/jobs/pause') }, 'Pause all'),
    make('button', { type: 'button', onclick: () => void act('/v1/jobs/resume') }, 'Resume all'),
    make('button', { type: 'button', onclick: () => void act('/v1/jobs/retry') }, 'Retry all that failed'),
    gate);
  const chosen = make('div', { class: 'row', hidden: true });
  const nothing = make('div', {});
  const page = make('div', { class: 'page' }, make('h1', {}, 'Work'), all, chosen, said, nothing);
  const parts = groups.map((group) => {
    const tally = make('span', { class: 'tally' });
    const list = make('ul', { class: 'jobs' });
    const more = make('button', { type: 'button', hidden: true, onclick: () => {
      limits.set(group.title, Math.min(1000, (limits.get(group.title) ?? shownAtFirst) * 4));
      void refresh();
    } }, 'Show more');
    const section = make('section', { class: 'group', hidden: true, 'aria-label': group.title },
      make('div', { class: 'head' }, make('h2', {}, group.title, ' ', tally)), list, more);
    page.append(section);
    /** @type {Map<number, ReturnType<typeof row>>} */
    const rows = new Map();
    return { group, section, tally, list, more, rows };
  });
  main.replaceChildren(page);

  let ended = false;
  let isReading = false;
  let isStale = false;
  let timer = 0;

  async function refresh() {
    if (isReading) {
      isStale = true;
      return;
    }
    isReading = true;
    isStale = false;
    try {
      for (const part of parts) {
        const limit = limits.get(part.group.title) ?? shownAtFirst;
        /** @type {Job[]} */
        const items = [];
        let total = 0;
        for (const state of part.group.states) {
          const answer = await get(`/v1/jobs?state=${state}&limit=${limit}`);
          items.push(...answer.items);
          total += answer.total;
        }
        if (ended) return;
        show(part, items, total);
      }
      const isIdle = parts.every((part) => part.section.hidden);
      if (isIdle !== (nothing.childElementCount > 0)) nothing.replaceChildren(...(isIdle ? [idle()] : []));
    } catch {
      isStale = true;
    }
    isReading = false;
    if (ended) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => void refresh(), isStale ? 300 : 2000);
  }

  /**
   * @param {typeof parts[number]} part
   * @param {Job[]} items
   * @param {number} total
   */
  function show(part, items, total) {
    part.section.hidden = total === 0;
    say(part.tally, total.toLocaleString('en'));
    part.more.hidden = items.length >= total || items.length >= 1000;
    const ids = new Set(items.map((job) => job.id));
    for (const [id, there] of part.rows) {
      if (ids.has(id)) continue;
      there.item.remove();
      part.rows.delete(id);
      marked.delete(id);
    }
    for (const [index, job] of items.entries()) {
      let there = part.rows.get(job.id);
      if (!there) {
        there = row(job, part.group.acts);
        part.rows.set(job.id, there);
      }
      there.update(job);
      if (part.list.children[index] !== there.item) part.list.insertBefore(there.item, part.list.children[index] ?? null);
    }
    showMarked();
  }

  /**
   * @param {Job} first
   * @param {string[]} acts
   */
  function row(first, acts) {
    const { id } = first;
    const mark = make('input', { type: 'checkbox', onchange: () => {
      if (mark.checked) marked.add(id);
      else marked.delete(id);
      showMarked();
    } });
    const name = make('span', { class: 'name' });
    const bar = make('progress', { max: 100, hidden: true });
    const about = make('span', { class: 'about' });
    const order = make('select', { 'aria-label': 'Priority', onchange: () => void change(id, Number(order.value)) });
    for (const [value, text] of priorities) order.append(make('option', { value }, text));
    const buttons = acts.map((word) => make('button', { type: 'button', onclick: () => void act(`/v1/jobs/${id}/${word}`) }, labels[word]));
    const item = make('li', {}, mark, name, make('div', { class: 'row' }, acts.length > 0 && order, ...buttons), bar, about);
    let text = '';
    return {
      item,
      /** @param {Job} job */
      update(job) {
        say(name, job.name);
        name.title = job.url;
        if (text !== job.name) {
          text = job.name;
          mark.setAttribute('aria-label', `Choose ${job.name}`);
          bar.setAttribute('aria-label', `Progress of ${job.name}`);
          order.setAttribute('aria-label', `Priority of ${job.name}`);
          for (const button of buttons) button.setAttribute('aria-label', `${button.textContent} ${job.name}`);
        }
        mark.checked = marked.has(id);
        if (document.activeElement !== order) order.value = String(job.priority > 0 ? 50 : job.priority < 0 ? -50 : 0);
        bar.hidden = job.state !== 'downloading';
        if (job.percent === null) bar.removeAttribute('value');
        else bar.value = job.percent;
        set(about, 'class', job.state === 'failed' ? 'about bad' : 'about');
        say(about, describe(job));
      },
    };
  }

  function showMarked() {
    chosen.hidden = marked.size === 0;
    if (marked.size === 0) return;
    const text = `${count(marked.size, 'job')} chosen`;
    if (chosen.firstChild?.textContent === text) return;
    chosen.replaceChildren(make('span', {}, text), ...Object.entries(labels).map(([word, label]) =>
      make('button', { type: 'button', onclick: () => void each(word) }, label)),
    make('button', { type: 'button', onclick: () => {
      marked.clear();
      void refresh();
      showMarked();
    } }, 'Choose none'));
  }

  /** @param {string} word */
  async function each(word) {
    let refused = '';
    let done = 0;
    for (const id of [...marked]) {
      try {
        await send('POST', `/v1/jobs/${id}/${word}`);
        done += 1;
      } catch (error) {
        refused = error instanceof Problem ? error.message : String(error);
      }
    }
    marked.clear();
    showMarked();
    say(said, refused ? `${count(done, 'job')} done; not all: ${refused}` : `${count(done, 'job')} done.`);
    void refresh();
  }

  /** @param {string} path */
  async function act(path) {
    try {
      const answer = await send('POST', path);
      say(said, typeof answer.changed === 'number' ? `${count(answer.changed, 'job')} changed.` : '');
    } catch (error) {
      say(said, error instanceof Problem ? sentence(error.message) : String(error));
    }
    void refresh();
  }

  /**
   * @param {number} id
   * @param {number} priority
   */
  async function change(id, priority) {
    try {
      await send('PATCH', `/v1/jobs/${id}`, { priority });
      say(said, '');
    } catch (error) {
      say(said, error instanceof Problem ? sentence(error.message) : String(error));
    }
    void refresh();
  }

  const leaveFeed = follow((news) => {
    if (!('events' in news)) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => void refresh(), 250);
  });
  const leaveStatus = watch((status) => {
    const isHeld = status?.detection.gate === 'held';
    set(gate, 'aria-pressed', String(isHeld));
  });
  void refresh();
  return () => {
    ended = true;
    clearTimeout(timer);
    leaveFeed();
    leaveStatus();
  };
}

/** @param {Job} job */
function describe(job) {
  const of = job.total_bytes === null ? size(job.bytes) : `${size(job.bytes)} of ${size(job.total_bytes)}`;
  switch (job.state) {
    case 'downloading': {
      const rate = job.bytes_per_second ?? 0;
      const left = rate > 0 && job.total_bytes !== null ? `, ${time((job.total_bytes - job.bytes) / rate)} left` : '';
      return `${of}${rate > 0 ? `, ${size(rate)}/s` : ''}${left}`;
    }
    case 'detecting': return 'looking for faces';
    case 'failed': return `${sentence(job.error?.message ?? '')} ${remedy(job.error?.code ?? '')}`;
    case 'waiting': return `Again at ${moment(job.waiting?.until)}: ${job.waiting?.reason ?? ''}`;
    case 'paused': return `paused at ${of}`;
    case 'stored': return size(job.bytes);
    default: return job.url;
  }
}

/**
 * What a person can do about a failure.
 *
 * @param {string} code
 */
function remedy(code) {
  if (/not_found|gone|http_404|http_410/.test(code)) return 'Look whether the address is right.';
  if (/unauthori|forbidden|http_401|http_403/.test(code)) return 'The server wants to know who asks, or has let the address expire.';
  return 'Retry when you think that it has passed.';
}

/** @param {string} text */
function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return whole === '' || /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

function idle() {
  return make('section', { class: 'empty' },
    make('h2', {}, 'Nothing to do'),
    make('p', {}, 'No download is under way, waiting or failed.'),
    make('a', { class: 'button', href: '#/add' }, 'Add pictures'));
}
