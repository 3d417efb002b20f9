/** Says which lines can't be taken, and leads to those that are in the box. */
import { make } from './dom.js';
import { count } from './words.js';

/** @typedef {import('./list-file.js').Wrong} Wrong */

/**
 * @param {HTMLTextAreaElement} area the box
 * @param {HTMLElement} wrong where it is said
 */
export function wrongLines(area, wrong) {
  /**
   * @param {Wrong[]} some
   * @param {number} all
   * @param {string} [result] what has become of the others
   */
  function correct(some, all, result = 'Nothing was added') {
    if (all === 0) {
      area.removeAttribute('aria-invalid');
      wrong.replaceChildren();
      return;
    }
    area.setAttribute('aria-invalid', 'true');
    // What is at fault is seen, and not the end of what was typed last.
    const first = some.find(({ name, line }) => !name && line > 0);
    if (first) mark(first.line);
    const shown = some.slice(0, 20);
    const list = make(
      'ul',
      {},
      ...shown.map(({ name, line, reason }) =>
        make(
          'li',
          {},
          name
            ? `${name}, line ${line}`
            : make('button', { type: 'button', onclick: () => mark(line) }, `line ${line}`),
          `: ${reason}`,
        ),
      ),
    );
    wrong.replaceChildren(
      make(
        'div',
        { class: 'wrong' },
        `${result}: ${count(all, 'line')} can’t be taken.`,
        list,
        all > shown.length ? `and ${(all - shown.length).toLocaleString('en')} more` : null,
      ),
    );
  }

  /**
   * Puts the cursor on a line.
   *
   * @param {number} line
   */
  function mark(line) {
    const before =
      area.value
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0);
    const text = area.value.split('\n')[line - 1] ?? '';
    area.focus();
    // A browser scrolls to where the selection ends.
    area.setSelectionRange(before, before);
    area.scrollLeft = 0;
    area.setSelectionRange(before, before + text.length);
  }

  return correct;
}
