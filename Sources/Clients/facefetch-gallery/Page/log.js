/** The view of the event log, live. */
import { make, say } from './dom.js';
import { get } from './api.js';
import { LogLines, most } from './log-lines.js';
import { follow, omittedEvents, recentEvents } from './feed.js';
import { pastOf } from './feed-source.js';
import { choose } from './place.js';
import { withQuery } from './query.js';
import { learnOrigins, nameOf } from './work/batch-names.js';

/** How many of the newest batches can be chosen, and of how many it is told where they are from. */
const batches = 50;
const told = 12;

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} address
 */
export function showLog(main, address) {
  const lines = new LogLines('tall whole', 'Event log', true);
  const said = make('span', { class: 'quiet', role: 'status' });
  const search = make('input', {
    type: 'search',
    'aria-label': 'Filter',
    placeholder: 'Only lines with…',
    maxlength: 256,
    oninput: () => narrow('text'),
  });
  const batch = make('select', { onchange: () => narrow('batch') }, make('option', { value: '' }, 'All'));
  const steps = make('input', { type: 'checkbox', onchange: () => narrow('steps') });
  const page = make(
    'div',
    { class: 'page' },
    make('h1', {}, 'Log'),
    make(
      'div',
      { class: 'logbar' },
      search,
      make('label', { class: 'field' }, 'Batch', batch),
      make('label', { class: 'field' }, steps, 'Steps of downloads'),
      make('button', { type: 'button', onclick: () => void copy() }, 'Copy'),
      said,
    ),
    lines.element,
  );
  main.replaceChildren(page);
  /** The batch whose past is shown, or was asked for last. */
  let shown = '';
  let turn = 0;
  let ended = false;
  let typing = 0;
  /** The last event that is among the lines. */
  let last = 0;

  /** @param {'text' | 'batch' | 'steps'} field */
  function narrow(field) {
    clearTimeout(typing);
    const query = new URLSearchParams();
    if (search.value.trim()) query.set('q', search.value.trim());
    if (batch.value) query.set('batch', batch.value);
    if (!steps.checked) query.set('steps', 'hidden');
    typing = window.setTimeout(() => choose('log', query, field), field === 'text' ? 150 : 0);
    apply();
  }

  function apply() {
    const wanted = batch.value;
    lines.narrow({ text: search.value.trim(), batch: wanted ? Number(wanted) : null, hasSteps: steps.checked });
    if (wanted !== shown) void read(wanted);
  }

  /** @param {import('./feed-source.js').JobEvent[]} events */
  function add(events) {
    const fresh = events.filter((event) => event.id > last);
    last = fresh.at(-1)?.id ?? last;
    lines.add(fresh);
  }

  /**
   * Shows the log of all batches, or of one from its newest lines on.
   *
   * @param {string} wanted
   */
  async function read(wanted) {
    shown = wanted;
    turn += 1;
    const mine = turn;
    const past = wanted ? await pastOf(Number(wanted), most - 1).catch(() => null) : null;
    if (ended || mine !== turn) return;
    lines.clear();
    last = 0;
    if (past) {
      if (past.length === most - 1) lines.omitted(0);
      add(past);
      if (past.length === 0) lines.note('Nothing of this batch is kept.');
      // What has happened since then.
      return add(recentEvents());
    }
    // As many as are drawn, under one line for all that are not.
    const recent = recentEvents().slice(1 - most);
    const before = omittedEvents();
    const hidden = recentEvents().length - recent.length;
    if (before === null || before + hidden > 0) lines.omitted(before === null ? 0 : before + hidden);
    add(recent);
    if (recent.length === 0 && before === 0) lines.note('Nothing has happened in the last ten minutes.');
  }

  /** Lists the newest batches to choose from, and the one that the address names. */
  async function listBatches() {
    const { items } = await get(withQuery('/v1/batches', { order: 'newest', limit: batches }));
    nameBatches(items);
    await learnOrigins(items.slice(0, told));
    nameBatches(items);
  }

  /** @param {import('facefetch-api').Batch[]} items */
  function nameBatches(items) {
    for (const one of items) {
      const there = [...batch.options].find(({ value }) => value === String(one.id));
      const text = `b${one.id}: ${nameOf(one)}`;
      if (there) say(there, text);
      else batch.append(make('option', { value: one.id }, text));
    }
  }

  /** @param {URLSearchParams} query */
  function adopt(query) {
    search.value = query.get('q')?.trim().slice(0, 256) ?? '';
    steps.checked = query.get('steps') !== 'hidden';
    const wanted = /^[1-9]\d{0,14}$/.exec(query.get('batch') ?? '')?.[0] ?? '';
    if (![...batch.options].some(({ value }) => value === wanted))
      batch.append(make('option', { value: wanted }, `b${wanted}`));
    batch.value = wanted;
    apply();
  }

  void read('');
  adopt(address);
  // That nobody answers is said at the top of the page.
  void listBatches().catch(() => {});
  const leave = follow((news) => {
    if ('events' in news) add(news.events);
    else if ('omitted' in news) lines.omitted(news.omitted);
  });

  async function copy() {
    try {
      await navigator.clipboard.writeText(lines.text);
      say(said, 'Copied.');
    } catch {
      const range = document.createRange();
      range.selectNodeContents(lines.element);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
      say(said, 'The browser doesn’t allow it: the lines are marked, so that you can copy them.');
    }
  }
  const end = () => {
    ended = true;
    clearTimeout(typing);
    leave();
    lines.end();
  };
  return Object.assign(end, { adopt });
}
