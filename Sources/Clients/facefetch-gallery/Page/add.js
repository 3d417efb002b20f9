/** The view to give work in: addresses, a start button, and what comes of it beside that. */
import { make, say } from './dom.js';
import { freshKey, Problem } from './api.js';
import { LogLines } from './log-lines.js';
import { follow, recentEvents } from './feed.js';
import { forget, takeIn, prepare, whence } from './lists.js';
import { post } from './posting.js';
import { count } from './words.js';
import { wrongLines } from './wrong-lines.js';

/** @typedef {{number: number, name: string, items: number, wrong: number}} List one that was taken in */

/** What has been typed and taken in, kept while the page is open; what was typed, also when it is loaded anew. */
const draft = { text: '', key: freshKey(), lists: /** @type {List[]} */ ([]) };
const kept = 'facefetch-draft';
try {
  // A key goes with the words that it stands for: Start, once more, adds nothing twice.
  const { text = '', key = '' } = JSON.parse(sessionStorage.getItem(kept) ?? '{}');
  Object.assign(draft, { text: String(text), key: String(key) || draft.key });
} catch {
  sessionStorage.removeItem(kept);
}
window.addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(kept, JSON.stringify({ text: draft.text, key: draft.lists.length > 0 ? '' : draft.key }));
  } catch {
    // A list of some megabytes is more than a browser keeps.
    sessionStorage.removeItem(kept);
  }
});

/** The most items of a batch, and bytes, of which the daemon takes twice as many. */
const mostItems = 100_000;
const mostBytes = 32_000_000;
/** Characters after which what is pasted is a list of its own. */
const longPaste = 200_000;

/** @param {HTMLElement} main */
export function showAdd(main) {
  /** @type {Set<number> | null} those that were added here */
  let batches = null;
  const area = make('textarea', {
    id: 'urls',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    placeholder: 'https://example.org/picture.jpg',
    'aria-describedby': 'urls-hint urls-wrong',
    oninput: () => {
      draft.text = area.value;
      changed();
    },
    onpaste: (/** @type {ClipboardEvent} */ event) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.length < longPaste) return;
      // Where each letter is laid out, so many would hold everything up.
      event.preventDefault();
      void open(new File([text], 'What was pasted'));
    },
  });
  area.value = draft.text;
  const wrong = make('div', { id: 'urls-wrong', role: 'alert' });
  const correct = wrongLines(area, wrong);
  const said = make('p', { class: 'hint said', role: 'status' });
  const start = make('button', { type: 'submit', class: 'main' }, 'Start');
  const lists = make('ul', { class: 'lists', 'aria-label': 'Lists' });
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
    lists,
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
  showLists();
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

  /** Other words are another request. */
  function changed() {
    draft.key = freshKey();
    correct([], 0);
  }

  /** @param {FileList | null} files */
  async function take(files) {
    const all = [...(files ?? [])];
    // The same file can be opened again, once it has been mended.
    if (all.length > 0) file.value = '';
    for (const one of all) await open(one);
  }

  /** @param {File} one */
  async function open(one) {
    say(said, `Reading ${one.name}…`);
    const taken = await takeIn(one);
    if ('refused' in taken) return say(said, refusal(one.name, taken.refused));
    if (taken.items === 0 && (taken.text === null || taken.wrong === 0)) {
      forget([taken.list]);
      return say(said, `${one.name} has no address in it.`);
    }
    if (taken.text === null) {
      draft.lists.push({ number: taken.list, name: one.name, items: taken.items, wrong: taken.wrong });
    } else {
      const typed = area.value.trimEnd();
      area.value = (typed ? `${typed}\n` : '') + taken.text;
      draft.text = area.value;
    }
    changed();
    showLists();
    say(said, `${one.name} is here. Press Start.`);
    if (area.isConnected) start.focus();
  }

  /** The lists that are too long for the box. */
  function showLists() {
    lists.hidden = draft.lists.length === 0;
    lists.replaceChildren(
      ...draft.lists.map((list) =>
        make(
          'li',
          {},
          make('span', { class: 'name' }, list.name),
          make('span', { class: 'tally' }, count(list.items, 'address', 'addresses')),
          make(
            'button',
            {
              type: 'button',
              'aria-label': `Remove ${list.name}`,
              onclick: () => {
                draft.lists = draft.lists.filter((one) => one !== list);
                forget([list.number]);
                changed();
                showLists();
                area.focus();
              },
            },
            'Remove',
          ),
        ),
      ),
    );
  }

  async function submit() {
    if (start.disabled) return;
    say(said, '');
    start.disabled = true;
    await add().catch((error) => say(said, `Nothing was added: ${error instanceof Error ? error.message : error}.`));
    start.disabled = false;
  }

  async function add() {
    const { key } = draft;
    const ready = await prepare(
      draft.text,
      draft.lists.map((list) => list.number),
      mostItems,
      mostBytes,
    );
    if ('refused' in ready) return say(said, 'Nothing was added: the list can’t be read any more. Open it again.');
    correct(ready.wrong, ready.wrongs);
    if (ready.wrongs > 0) return area.focus();
    if (ready.bodies.length === 0) {
      say(said, 'There is no address yet. Paste one, and press Start.');
      return area.focus();
    }
    /** @type {number[]} */
    const added = [];
    let items = 0;
    for (const [at, body] of ready.bodies.entries()) {
      if (ready.bodies.length > 1)
        say(said, `Adding ${count(body.items, 'address', 'addresses')}: ${at + 1} of ${ready.bodies.length} batches…`);
      try {
        const answer = await post(body.body, at === 0 ? key : `${key}-${at}`, (text) => say(said, text));
        added.push(answer.id);
        items += body.items;
      } catch (error) {
        return await refused(error, at, added, items);
      }
    }
    batches = new Set(added);
    forget(draft.lists.map((list) => list.number));
    Object.assign(draft, { key: freshKey(), text: '', lists: [] });
    area.value = '';
    showLists();
    lines.clear();
    lines.add(recentEvents().filter((event) => batches?.has(event.batch)));
    say(said, `${count(items, 'file')} started as ${named(added)}. It goes on when this page is closed.`);
  }

  /**
   * Says what has become of what was to be added.
   *
   * @param {unknown} error
   * @param {number} at the batch of which this is
   * @param {number[]} added those before it
   * @param {number} items
   */
  async function refused(error, at, added, items) {
    const result = added.length > 0 ? `${count(items, 'file')} started as ${named(added)}, and no others` : '';
    if (error instanceof Problem && error.errors.length > 0) {
      const places = await whence(
        at,
        error.errors.map(({ index }) => index),
      );
      const all = error.errors.map(({ field, reason }, number) => ({
        ...(places[number] ?? { line: 0 }),
        reason: field === 'url' ? reason : `${field}: ${reason}`,
      }));
      correct(all, all.length, result || undefined);
      return area.focus();
    }
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof Problem && error.code === 'answer_lost')
      return say(said, `${result ? `${result} that we know of. ` : ''}${reason}`);
    say(
      said,
      result
        ? `${result}: ${reason}. Press Start for the rest: nothing is added twice.`
        : `Nothing was added: ${reason}.`,
    );
  }

  const leave = follow((news) => {
    if ('events' in news) lines.add(news.events.filter((event) => !batches || batches.has(event.batch)));
    else if ('omitted' in news) lines.omitted(news.omitted);
  });
  return () => {
    leave();
    lines.end();
    for (const name of dragging) window.removeEventListener(name, drag);
  };
}

/** @param {number[]} batches */
function named(batches) {
  return batches.length > 1 ? `b${batches[0]} to b${batches[batches.length - 1]}` : `b${batches[0]}`;
}

/**
 * @param {string} name
 * @param {import('./list-worker.js').Refused['refused']} reason
 */
function refusal(name, reason) {
  switch (reason) {
    case 'large':
      return `${name} is larger than 32 MB: add it with “facefetch add --from FILE”.`;
    case 'binary':
      return `${name} is no list: it has bytes that no text has.`;
    case 'columns':
      return (
        `${name} has no column with addresses that begin with http:// or https://. ` +
        'Name one “url” in its first row, and drop it again.'
      );
    default:
      return `${name} can’t be read.`;
  }
}
