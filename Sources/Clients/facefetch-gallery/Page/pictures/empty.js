/** What stands where there are no pictures. */
import { make } from '../dom.js';

/** Stands above what is said there, and says nothing by itself. */
export const sign = () => make('img', { src: '/icon.svg', alt: '' });

export function nothingYet() {
  return make(
    'section',
    { class: 'empty' },
    sign(),
    make('h2', {}, 'No pictures yet'),
    make(
      'p',
      {},
      'Give facefetch the addresses of some pictures. ' +
        'They come in here as they arrive, with the faces that are in them.',
    ),
    make('a', { class: 'button main', href: '#/add' }, 'Add pictures'),
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

/** Nothing has been read yet, and nobody answers. */
export function outOfReach() {
  return make(
    'section',
    { class: 'empty' },
    sign(),
    make('h2', {}, 'Nothing can be shown yet'),
    make('p', {}, 'It comes by itself. What is missing, “facefetch doctor” says in a terminal.'),
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
