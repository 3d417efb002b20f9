/** The view of the event log, live. */
import { make, say } from './dom.js';
import { LogLines, most } from './log-lines.js';
import { follow, omittedEvents, recentEvents } from './feed.js';

/** @param {HTMLElement} main */
export function showLog(main) {
  const lines = new LogLines('tall', 'Event log');
  const said = make('span', { class: 'quiet', role: 'status' });
  const page = make(
    'div',
    { class: 'page' },
    make('h1', {}, 'Log'),
    make(
      'div',
      { class: 'logbar' },
      make('input', {
        type: 'search',
        'aria-label': 'Filter',
        placeholder: 'Only lines with…',
        oninput: (/** @type {Event} */ event) => lines.narrow(/** @type {HTMLInputElement} */ (event.target).value),
      }),
      make('button', { type: 'button', onclick: () => void copy() }, 'Copy'),
      said,
    ),
    lines.element,
  );
  main.replaceChildren(page);
  // As many as are drawn, under one line for all that are not.
  const shown = recentEvents().slice(1 - most);
  const before = omittedEvents();
  const hidden = recentEvents().length - shown.length;
  if (before === null || before + hidden > 0) lines.omitted(before === null ? 0 : before + hidden);
  lines.add(shown);
  if (shown.length === 0 && before === 0) lines.note('Nothing has happened in the last ten minutes.');
  const leave = follow((news) => {
    if ('events' in news) lines.add(news.events);
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
  return () => {
    leave();
    lines.end();
  };
}
