/** The view to give work in: addresses, a start button, and what comes of it beside that. */
import { make, say } from './dom.js';
import { freshKey, send, Problem } from './api.js';
import { LogLines } from './log-lines.js';
import { follow, recentEvents } from './feed.js';
import { listLines, listText, read } from './list-file.js';
import { count } from './words.js';

const key = 'facefetch-draft';
/** What has been typed, kept while the page is open, and when it is loaded anew. */
let draft = sessionStorage.getItem(key) ?? '';
window.addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(key, draft);
  } catch {
    // A list of some megabytes is more than a browser keeps.
    sessionStorage.removeItem(key);
  }
});
/** The largest list that is taken in at once. */
const mostItems = 100_000;

/** @typedef {import('./list-file.js').Wrong} Wrong */

/** @param {HTMLElement} main */
export function showAdd(main) {
  /** @type {number | null} */
  let batch = null;
  let key = freshKey();
  const area = make('textarea', {
    id: 'urls',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    placeholder: 'https://example.org/picture.jpg',
    'aria-describedby': 'urls-hint urls-wrong',
    oninput: () => {
      draft = area.value;
      // Other words are another request.
      key = freshKey();
      correct([]);
    },
  });
  area.value = draft;
  const wrong = make('div', { id: 'urls-wrong', role: 'alert' });
  const said = make('p', { class: 'hint', role: 'status' });
  const start = make('button', { type: 'submit', class: 'main' }, 'Start');
  const file = make('input', {
    type: 'file',
    accept: '.txt,.list,.csv,.tsv,text/plain',
    hidden: true,
    'aria-label': 'List',
    onchange: () => void take(file.files),
  });
  const lines = new LogLines('side', 'What happens');
  const form = make(
    'form',
    {
      novalidate: true,
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void submit();
      },
    },
    make('label', { for: 'urls' }, 'URLs'),
    area,
    make(
      'p',
      { class: 'hint', id: 'urls-hint' },
      'One address a line. A name may follow after a tab. ' +
        'What follows a # at the beginning of a line or after a blank is left out. ' +
        'A text file can be dropped here, or a table (.csv) that has a column “url”.',
    ),
    wrong,
    make(
      'div',
      { class: 'row' },
      start,
      make('button', { type: 'button', onclick: () => file.click() }, 'Open a list…'),
      file,
    ),
    said,
  );
  main.replaceChildren(
    make(
      'div',
      { class: 'page' },
      make('h1', {}, 'Add pictures'),
      make(
        'div',
        { class: 'add' },
        form,
        make(
          'section',
          { 'aria-labelledby': 'add-log' },
          make('h2', { id: 'add-log' }, 'What happens'),
          make('p', { class: 'hint' }, 'Seconds since the start, and what happened then.'),
          lines.element,
        ),
      ),
    ),
  );
  const dragging = ['dragover', 'dragleave', 'drop'];
  /** @param {Event} event */
  const drag = (event) => {
    const drop = /** @type {DragEvent} */ (event);
    if (!drop.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    area.classList.toggle('over', event.type === 'dragover');
    if (event.type === 'drop') void take(drop.dataTransfer.files);
  };
  // Beside the box as well: a browser would open the list in place of this page.
  for (const name of dragging) window.addEventListener(name, drag);

  /** @param {FileList | null} files */
  async function take(files) {
    const chosen = files?.[0];
    if (!chosen) return;
    if (chosen.size > 32_000_000)
      return say(said, 'This list is larger than 32 MB: add it with “facefetch add --from FILE”.');
    const text = listText(new Uint8Array(await chosen.arrayBuffer()));
    // The same file can be opened again, once it has been mended.
    file.value = '';
    if (text === null) return say(said, `${chosen.name} is no list: it has bytes that no text has.`);
    const list = listLines(chosen.name, text);
    if (list === null)
      return say(
        said,
        `${chosen.name} has no column with addresses that begin with http:// or https://. ` +
          'Name one “url” in its first row, and drop it again.',
      );
    const typed = area.value.trimEnd();
    area.value = (typed ? `${typed}\n` : '') + list;
    area.dispatchEvent(new Event('input'));
    say(said, `${chosen.name} is here. Press Start.`);
    start.focus();
  }

  /** @param {Wrong[]} all */
  function correct(all) {
    if (all.length === 0) {
      area.removeAttribute('aria-invalid');
      wrong.replaceChildren();
      return;
    }
    area.setAttribute('aria-invalid', 'true');
    const list = make(
      'ul',
      {},
      ...all
        .slice(0, 20)
        .map(({ line, reason }) =>
          make('li', {}, make('button', { type: 'button', onclick: () => mark(line) }, `line ${line}`), `: ${reason}`),
        ),
    );
    wrong.replaceChildren(
      make(
        'div',
        { class: 'wrong' },
        `Nothing was added: ${count(all.length, 'line')} can’t be taken.`,
        list,
        all.length > 20 ? `and ${all.length - 20} more` : null,
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
    area.setSelectionRange(before, before + text.length);
  }

  async function submit() {
    say(said, '');
    const { items, places, errors } = read(area.value);
    correct(errors);
    if (errors.length > 0) return area.focus();
    if (items.length === 0) {
      say(said, 'There is no address yet. Paste one, and press Start.');
      return area.focus();
    }
    if (items.length > mostItems)
      return say(
        said,
        `These are ${count(items.length, 'address', 'addresses')}; ` +
          `at most ${mostItems.toLocaleString('en')} are taken at once.`,
      );
    start.disabled = true;
    try {
      const answer = await send('POST', '/v1/batches', { items }, { 'Idempotency-Key': key });
      batch = answer.id;
      key = freshKey();
      area.value = '';
      draft = '';
      lines.clear();
      lines.add(recentEvents().filter((event) => event.batch === batch));
      say(said, `${count(items.length, 'file')} started as b${batch}. It goes on when this page is closed.`);
    } catch (error) {
      if (error instanceof Problem && error.errors.length > 0) {
        correct(
          error.errors.map(({ index, field, reason }) => ({
            line: places[index],
            reason: field === 'url' ? reason : `${field}: ${reason}`,
          })),
        );
        area.focus();
      } else {
        say(said, `Nothing was added: ${error instanceof Error ? error.message : error}.`);
      }
    }
    start.disabled = false;
  }

  const leave = follow((news) => {
    if ('events' in news) lines.add(news.events.filter((event) => batch === null || event.batch === batch));
    else if ('omitted' in news) lines.omitted(news.omitted);
  });
  return () => {
    leave();
    lines.end();
    for (const name of dragging) window.removeEventListener(name, drag);
  };
}
