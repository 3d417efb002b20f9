/** What is under way, what waits and why, what failed and what to do; and the buttons for it. */
import { make, say, set } from '../dom.js';
import { get } from '../api.js';
import { look, lookAway } from '../attention.js';
import { choose } from '../place.js';
import { withQuery } from '../query.js';
import { follow } from '../feed.js';
import { status as latestStatus, watch } from '../status.js';
import { count } from '../words.js';
import { batchList } from './batches.js';
import { outOfReach, sign } from '../pictures/empty.js';
import { Choice } from './choice.js';
import { engineWords } from './engine.js';
import { Group, labels } from './group.js';
import { holdList } from './holds.js';
import { hostList, readHosts } from './hosts.js';
import { priorityChoice } from './priority.js';
import { readGroups } from './reading.js';
import { sourceList } from './sources.js';
import { steering } from './steering.js';

/** The groups, in the order in which people ask about them. */
const kinds = [
  { title: 'In progress', states: ['downloading', 'detecting'], words: ['pause', 'cancel'] },
  { title: 'Failed', states: ['failed'], words: ['retry', 'dismiss'] },
  { title: 'Waiting', states: ['waiting'], words: ['retry', 'pause', 'cancel'] },
  { title: 'Paused', states: ['paused'], words: ['resume', 'cancel'] },
  { title: 'Queued', states: ['queued'], words: ['pause', 'cancel'] },
  { title: 'Stored, waiting for face detection', states: ['stored'], words: ['pause', 'cancel'] },
];

/**
 * What a word asks of a job before it does something to it; the others want one under way.
 *
 * @type {Record<string, string>}
 */
const fitting = { resume: 'is paused', retry: 'has failed or waits', dismiss: 'has failed' };

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} address
 */
export function showWork(main, address) {
  let text = '';
  const marked = new Choice();
  const said = make('p', { role: 'status', class: 'quiet said' });
  const steer = steering(
    (text) => say(said, text),
    () => void refresh(),
  );
  const gate = make(
    'button',
    {
      type: 'button',
      onclick: () => steer.post(`/v1/detection/${isHeld ? 'release' : 'hold'}`),
    },
    'Hold face detection',
  );
  let isHeld = false;
  let typing = 0;
  const search = make('input', {
    type: 'search',
    'aria-label': 'Search the queue',
    placeholder: 'Name or address',
    maxlength: 256,
    oninput: () => {
      clearTimeout(typing);
      typing = window.setTimeout(() => {
        choose('work', new URLSearchParams(search.value.trim() ? { q: search.value.trim() } : {}), 'text');
        lookFor(search.value.trim());
      }, 150);
    },
  });
  const eye = make('p', { class: 'hint', hidden: true });
  const title = make('h1', { tabindex: -1 }, 'Work');
  const chosen = make('div', { class: 'row chosen', hidden: true, role: 'group', 'aria-label': 'Chosen jobs' });
  const nothing = make('div', {});
  const holds = holdList((host) =>
    steer.post(withQuery('/v1/hosts/release', { host }), `${host} is asked again now: one request first.`),
  );
  const places = hostList();
  const batches = batchList((id, word) => steer.post(`/v1/batches/${id}/${word}`));
  const sources = sourceList((name, word) => steer.post(`/v1/sources/${encodeURIComponent(name)}/${word}`));
  const groups = kinds.map(
    (kind) =>
      new Group(kind, {
        marked,
        order: steer.order,
        changed: showMarked,
        more: () => void refresh(),
        steer: (id, word) => (word === 'dismiss' ? steer.dismiss([id]) : steer.post(`/v1/jobs/${id}/${word}`)),
      }),
  );
  main.replaceChildren(
    make(
      'div',
      { class: 'page' },
      title,
      make(
        'div',
        { class: 'row' },
        make('button', { type: 'button', onclick: () => steer.post('/v1/jobs/pause') }, 'Pause all'),
        make('button', { type: 'button', onclick: () => steer.post('/v1/jobs/resume') }, 'Resume all'),
        make('button', { type: 'button', onclick: () => steer.post('/v1/jobs/retry') }, 'Retry all that failed'),
        gate,
        search,
      ),
      eye,
      chosen,
      said,
      holds.section,
      nothing,
      batches.section,
      ...groups.map((group) => group.section),
      places.section,
      sources.section,
    ),
  );

  let ended = false;
  let isReading = false;
  let isStale = false;
  let timer = 0;
  /** What an event has planned: a further one doesn't put it off. */
  let soon = 0;
  let took = 0;
  /** What the jobs that are shown were looked for by. */
  let shownFor = '';

  async function refresh() {
    if (isReading) {
      isStale = true;
      return;
    }
    isReading = true;
    isStale = false;
    const start = performance.now();
    const mine = text;
    try {
      const lists = await readGroups(
        groups,
        shownFor === mine ? groups.flatMap((group) => [...group.rows.keys()]) : [],
        mine,
      );
      if (ended) return;
      if (mine !== text) throw new Error('something else is looked for');
      shownFor = mine;
      for (const [index, group] of groups.entries()) {
        const gone = group.show(lists[index].jobs, lists[index].total, lists[index].hasMore);
        if (gone >= 0 && !group.focus(gone)) title.focus();
      }
      const shown = lists.flatMap(({ jobs }) => jobs);
      await marked.learn(shown);
      await batches.learn();
      const held = /** @type {import('./holds.js').Hold[]} */ (latestStatus()?.holds ?? []);
      const isBusy = groups.some((group) => !group.section.hidden) || held.some(({ kind }) => kind === 'host');
      const hosts = await readHosts(isBusy);
      const { items } = await get('/v1/sources');
      if (ended) return;
      if (holds.show(held, hosts.items)) title.focus();
      places.show(hosts);
      if (batches.show()) title.focus();
      sources.show(items);
      showMarked();
      showIdle();
      tellAttention();
    } catch {
      isStale = true;
      if (!ended && !nothing.dataset.words && groups.every((group) => group.section.hidden)) {
        nothing.dataset.words = 'out of reach';
        nothing.replaceChildren(outOfReach());
      }
    }
    isReading = false;
    took = performance.now() - start;
    if (ended) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => void refresh(), isStale ? pause() : 2000);
  }

  /** Milliseconds until it is worth looking again; what takes the daemon long isn't asked for all the time. */
  function pause() {
    return Math.min(2000, Math.max(250, took * 3));
  }

  function showIdle() {
    const isIdle = groups.every((group) => group.section.hidden);
    const words = isIdle ? (text ? 'search' : 'idle') : '';
    if (nothing.dataset.words === words) return;
    nothing.dataset.words = words;
    nothing.replaceChildren(...(isIdle ? [text ? notFound() : idle()] : []));
  }

  /** What is looked at among the work is fetched first. */
  function tellAttention() {
    const seen = groups.map((group) => group.seen());
    look(
      seen.flatMap((one) => one.visible),
      seen.flatMap((one) => one.near),
    );
  }

  function showMarked() {
    const { size } = marked.states;
    const text = `${count(size, 'job')} chosen`;
    if (chosen.hidden === (size === 0) && chosen.firstChild?.textContent === text) return;
    const hadFocus = chosen.contains(document.activeElement);
    chosen.hidden = size === 0;
    if (chosen.hidden && hadFocus) title.focus();
    const tally = chosen.querySelector('.tally');
    if (tally) return say(tally, text);
    chosen.replaceChildren(
      make('span', { class: 'tally', role: 'status' }, text),
      ...Object.entries(labels).map(([word, label]) =>
        make('button', { type: 'button', onclick: () => steerChosen(word) }, `${label} chosen`),
      ),
      priorityChoice(
        'Priority of the chosen',
        (priority) => steer.orderEach([...marked.states.keys()], priority),
        'Priority…',
      ),
      make(
        'button',
        {
          type: 'button',
          onclick: () => {
            marked.states.clear();
            showMarked();
            void refresh();
          },
        },
        'Choose none',
      ),
    );
  }

  /** @param {string} word */
  function steerChosen(word) {
    const ids = marked.fit(word);
    if (ids.length > 0 && word === 'dismiss') return steer.dismiss(ids);
    if (ids.length > 0) return steer.postEach(ids, word);
    say(said, `This does nothing to the chosen: none of them ${fitting[word] ?? 'is under way'}.`);
  }

  const leaveFeed = follow((news) => {
    if (soon || !('events' in news || 'omitted' in news)) return;
    soon = window.setTimeout(() => {
      soon = 0;
      void refresh();
    }, pause());
  });
  const leaveStatus = watch((status) => {
    isHeld = status?.detection.gate === 'held';
    say(gate, isHeld ? 'Face detection is held: release' : 'Hold face detection');
    set(gate, 'class', isHeld ? 'held' : null);
    const words = status ? engineWords(status.detection) : '';
    eye.hidden = !words;
    set(eye, 'class', status?.detection.problem ? 'hint bad' : 'hint');
    say(eye, words);
  });
  window.addEventListener('scroll', tellAttention, { passive: true });
  adopt(address);
  const end = () => {
    ended = true;
    clearTimeout(typing);
    clearTimeout(timer);
    clearTimeout(soon);
    leaveFeed();
    leaveStatus();
    window.removeEventListener('scroll', tellAttention);
    lookAway();
  };
  return Object.assign(end, { adopt });

  /** @param {URLSearchParams} query */
  function adopt(query) {
    search.value = query.get('q')?.trim().slice(0, 256) ?? '';
    lookFor(search.value);
  }

  /** @param {string} words */
  function lookFor(words) {
    text = words;
    void refresh();
  }
}

function notFound() {
  return make(
    'section',
    { class: 'empty' },
    make('h2', {}, 'Nothing matches'),
    make('p', {}, 'Nothing that is under way, waiting or failed has this in its name or address.'),
  );
}

function idle() {
  return make(
    'section',
    { class: 'empty' },
    sign(),
    make('h2', {}, 'Nothing to do'),
    make('p', {}, 'No download is under way, waiting or failed.'),
    make('a', { class: 'button main', href: '#/add' }, 'Add pictures'),
  );
}
