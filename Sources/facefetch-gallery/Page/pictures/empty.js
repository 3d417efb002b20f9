/** What stands where there are no pictures. */
import { make } from '../dom.js';

export function nothingYet() {
  return make(
    'section',
    { class: 'empty' },
    make('h2', {}, 'No pictures yet'),
    make(
      'p',
      {},
      'Give facefetch the addresses of some pictures. ' +
        'They come in here as they arrive, with the faces that are in them.',
    ),
    make('a', { class: 'button', href: '#/add' }, 'Add pictures'),
  );
}

export function nothingFound() {
  return make(
    'section',
    { class: 'empty' },
    make('h2', {}, 'Nothing matches'),
    make('p', {}, 'No picture has what the filters ask for.'),
  );
}

/** @param {string} reason */
export function cantBeFound(reason) {
  return make(
    'section',
    { class: 'empty', role: 'status' },
    make('h2', {}, 'This can’t be looked for'),
    make('p', {}, `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`),
  );
}
