/** What can be done with the pictures that are chosen on the wall. */
import { get } from '../api.js';
import { make, say } from '../dom.js';
import { withQuery } from '../query.js';
import { count } from '../words.js';
import { steering } from '../work/steering.js';
import { sentence } from '../work/words.js';
import { urlOf } from '../prefix.js';

/** The most pictures that are asked for one by one, those of one archive, and those whose like are looked for. */
const most = 1000;
const mostOfArchive = 500;
const mostCompared = 100;
/** The most that are told to be like one. */
const mostAlike = 500;

/**
 * @param {{clear: () => void, forgotten: () => void, add: (ids: number[]) => number}} acts
 */
export function chosenBar({ clear, forgotten, add }) {
  /** @type {number[]} */
  let ids = [];
  let isForgetting = false;
  const tally = make('span', { class: 'tally', role: 'status' });
  const said = make('span', { class: 'quiet', role: 'status' });
  const steer = steering(
    (text) => say(said, text),
    () => {
      if (isForgetting) forgotten();
      isForgetting = false;
    },
  );
  /** @param {() => void} act */
  const few = (act) => () =>
    ids.length > most ? say(said, `These are more than ${most.toLocaleString('en')}: choose fewer.`) : act();
  const download = make(
    'a',
    {
      class: 'button',
      download: 'pictures.zip',
      onclick: (/** @type {Event} */ event) => {
        if (ids.length <= mostOfArchive) return;
        event.preventDefault();
        say(said, `At most ${mostOfArchive} are downloaded at once: choose fewer.`);
      },
    },
    'Download',
  );
  const bar = make(
    'div',
    { class: 'chosen-bar', role: 'group', 'aria-label': 'Chosen pictures', hidden: true },
    tally,
    make('button', { type: 'button', onclick: clear }, 'Choose none'),
    download,
    make('button', { type: 'button', onclick: few(() => steer.postEach(ids, 'detect')) }, 'Look again'),
    make('button', { type: 'button', 'aria-label': 'Choose similar', onclick: () => void chooseSimilar() }, 'Similar'),
    make('button', { type: 'button', onclick: few(forget) }, 'Forget'),
    said,
  );

  /** Chooses what looks like those that are chosen, too, so that all but the best of them can be forgotten. */
  async function chooseSimilar() {
    if (ids.length > mostCompared) return say(said, `These are more than ${mostCompared}: choose fewer.`);
    say(said, 'Looking…');
    /** @type {Set<number>} */
    const alike = new Set();
    let reason = '';
    for (const id of ids) {
      try {
        /** @type {import('facefetch-api').AlikePage} */
        const { items } = await get(withQuery(`/v1/jobs/${id}/similar`, { limit: mostAlike }));
        for (const { job } of items) alike.add(job.id);
      } catch (error) {
        reason = sentence(error instanceof Error ? error.message : String(error));
      }
    }
    for (const id of ids) alike.delete(id);
    const added = add([...alike]);
    const left = alike.size - added;
    const words =
      added > 0
        ? `${count(added, 'similar picture')} chosen, too.`
        : left > 0 || reason
          ? ''
          : 'No other picture looks like these.';
    const rest = left > 0 ? `${count(left, 'similar picture')} ${left === 1 ? 'is' : 'are'} not shown here.` : '';
    say(said, [words, rest, reason].filter(Boolean).join(' '));
  }

  function forget() {
    const words =
      `Forget ${count(ids.length, 'picture')}? They are shown here no longer, and nothing is known of them any more. ` +
      'Their files stay where they are stored.';
    if (!confirm(words)) return;
    isForgetting = true;
    steer.dismiss(ids, 'forgotten');
  }

  return {
    bar,
    /** @param {Set<number>} chosen */
    show(chosen) {
      ids = [...chosen];
      say(tally, `${count(ids.length, 'picture')} chosen`);
      if (bar.hidden !== (ids.length === 0)) say(said, '');
      bar.hidden = ids.length === 0;
      download.href = urlOf(withQuery('/pictures.zip', { ids: ids.slice(0, mostOfArchive).join(',') }));
    },
  };
}
