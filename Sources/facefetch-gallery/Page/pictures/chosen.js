/** What can be done with the pictures that are chosen on the wall. */
import { make, say } from '../dom.js';
import { withQuery } from '../query.js';
import { count } from '../words.js';
import { steering } from '../work/steering.js';

/** The most pictures that are asked for one by one, and those of one archive. */
const most = 1000;
const mostOfArchive = 500;

/**
 * @param {{clear: () => void, forgotten: () => void}} acts
 */
export function chosenBar({ clear, forgotten }) {
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
    download,
    make('button', { type: 'button', onclick: few(() => steer.postEach(ids, 'detect')) }, 'Look again'),
    make('button', { type: 'button', onclick: few(forget) }, 'Forget'),
    make('button', { type: 'button', onclick: clear }, 'Choose none'),
    said,
  );

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
      download.href = withQuery('/pictures.zip', { ids: ids.slice(0, mostOfArchive).join(',') });
    },
  };
}
