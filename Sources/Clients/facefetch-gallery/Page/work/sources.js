/** The places that pictures come from by themselves, each with its state and buttons. */
import { make, say, set } from '../dom.js';
import { describeSource } from './words.js';

/** @typedef {import('./words.js').Source} Source */

/** @type {Record<string, string>} */
const labels = { poll: 'Look now', more: 'Read on', pause: 'Pause', resume: 'Resume' };
/** What can be asked of a source in each state. */
/** @type {Record<string, string[]>} */
const words = { held: ['more', 'pause'], paused: ['resume'], reading: ['pause'] };
const usual = ['poll', 'pause'];

/** @param {(name: string, word: string) => void} steer */
export function sourceList(steer) {
  const tally = make('span', { class: 'tally' });
  const list = make('ul', { class: 'jobs sources' });
  const section = make(
    'section',
    { class: 'group', hidden: true, 'aria-label': 'Sources' },
    make('div', { class: 'head' }, make('h2', {}, 'Sources ', tally)),
    list,
  );
  /** @type {Map<string, {item: HTMLElement, update: (source: Source) => void}>} */
  const rows = new Map();

  /** @param {string} name */
  function row(name) {
    const about = make('span', { class: 'about' });
    const title = make('span', { class: 'name' }, name);
    const buttons = Object.entries(labels).map(([word, label]) => ({
      word,
      button: make(
        'button',
        { type: 'button', 'aria-label': `${label}: ${name}`, onclick: () => steer(name, word) },
        label,
      ),
    }));
    const item = make('li', {}, title, make('div', { class: 'row' }, ...buttons.map(({ button }) => button)), about);
    return {
      item,
      /** @param {Source} source */
      update(source) {
        title.title = source.url;
        const fitting = words[source.state.code] ?? usual;
        for (const { word, button } of buttons) {
          const isLeft = !fitting.includes(word) && document.activeElement === button;
          button.hidden = !fitting.includes(word);
          if (isLeft) buttons.find((other) => fitting.includes(other.word))?.button.focus();
        }
        set(about, 'class', source.last_error ? 'about bad' : 'about');
        say(about, describeSource(source));
      },
    };
  }

  return {
    section,
    /** @param {Source[]} sources */
    show(sources) {
      section.hidden = sources.length === 0;
      say(tally, sources.length.toLocaleString('en'));
      const names = new Set(sources.map((source) => source.name));
      for (const [name, { item }] of rows) {
        if (names.has(name)) continue;
        item.remove();
        rows.delete(name);
      }
      for (const source of sources) {
        const there = rows.get(source.name) ?? row(source.name);
        if (!rows.has(source.name)) list.append(there.item);
        rows.set(source.name, there);
        there.update(source);
      }
    },
  };
}
