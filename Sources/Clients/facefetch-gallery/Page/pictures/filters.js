/** What of all pictures is shown, and in which order. */
import { make, set } from '../dom.js';
import { get } from '../api.js';
import { choose } from '../place.js';

/** What the person has chosen, as the address has it. */
const unchosen = { text: '', faces: '', order: 'newest', source: '', batch: '', meta: '' };
const chosen = { ...unchosen };
/** Whether the fields are shown that few people need. */
let hasMore = false;
/** @typedef {keyof typeof unchosen} Name */
const names = /** @type {Name[]} */ (Object.keys(unchosen));
/** What they are called in the address. */
/** @type {Record<Name, string>} */
const short = { text: 'q', faces: 'faces', order: 'order', source: 'source', batch: 'batch', meta: 'meta' };

const orders = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['name', 'By name'],
  ['faces', 'Most faces first'],
];

/** The filters as the index takes them; what is only half typed is left out. */
export function query() {
  const query = new URLSearchParams();
  if (chosen.text) query.set('q', chosen.text);
  if (/^\d{1,4}$/.test(chosen.faces) && Number(chosen.faces) > 0) query.set('faces_min', String(Number(chosen.faces)));
  if (chosen.source) query.set('source', chosen.source);
  if (/^\d{1,15}$/.test(chosen.batch) && Number(chosen.batch) > 0) query.set('batch', String(Number(chosen.batch)));
  const meta = /^\s*([^=\s]+)\s*=\s*(.+)$/.exec(chosen.meta);
  if (meta) query.set(`meta.${meta[1]}`, meta[2]);
  return query;
}

/**
 * Takes over what an address says; true where that is something else.
 *
 * @param {URLSearchParams} address
 */
export function adopt(address) {
  const before = JSON.stringify(chosen);
  for (const name of names) chosen[name] = address.get(short[name])?.trim().slice(0, 256) ?? unchosen[name];
  if (!orders.some(([order]) => order === chosen.order)) chosen.order = unchosen.order;
  return before !== JSON.stringify(chosen);
}

/** What is chosen, for the address. */
export function inAddress() {
  const query = new URLSearchParams();
  for (const name of names) if (chosen[name] !== unchosen[name]) query.set(short[name], chosen[name]);
  return query;
}

/** The query with the order of the pictures. */
export function wholeQuery() {
  const all = query();
  if (chosen.order !== 'newest') all.set('order', chosen.order);
  return all;
}

/**
 * The fields in which they are chosen.
 *
 * @param {() => void} changed
 * @param {...Node} more what stands beside them
 * @returns {{form: HTMLFormElement, end: () => void}}
 */
export function filters(changed, ...more) {
  let timer = 0;
  /** @param {Name} name */
  const hear = (name) => (/** @type {Event} */ event) => {
    chosen[name] = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value.trim();
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      choose('pictures', inAddress(), name);
      changed();
    }, 150);
  };
  const order = make('select', { onchange: hear('order') });
  for (const [value, text] of orders) order.append(make('option', { value, selected: chosen.order === value }, text));
  const rest = make('div', { class: 'rest', id: 'more-filters', hidden: true });
  const open = make(
    'button',
    { type: 'button', 'aria-expanded': 'false', 'aria-controls': 'more-filters', onclick: () => show(!hasMore) },
    'More filters',
  );

  /** @param {boolean} isOpen */
  function show(isOpen) {
    hasMore = isOpen;
    if (isOpen && rest.childElementCount === 0) rest.append(...moreFilters(hear));
    rest.hidden = !isOpen;
    set(open, 'aria-expanded', String(isOpen));
    // On a phone these two are among them.
    form.classList.toggle('open', isOpen || isChosen('faces', 'order'));
  }
  const form = make(
    'form',
    {
      class: 'filters',
      role: 'search',
      'aria-label': 'Filters',
      onsubmit: (/** @type {Event} */ event) => event.preventDefault(),
    },
    make('h1', { class: 'unseen' }, 'Pictures'),
    make('input', {
      type: 'search',
      'aria-label': 'Search',
      placeholder: 'Name or address',
      value: chosen.text,
      maxlength: 256,
      oninput: hear('text'),
    }),
    make(
      'label',
      { class: 'field' },
      'Faces at least',
      make('input', { type: 'number', min: 0, max: 1000, step: 1, value: chosen.faces, oninput: hear('faces') }),
    ),
    make('label', { class: 'field' }, 'Order', order),
    open,
    ...more,
    rest,
  );
  // What is chosen is seen.
  show(hasMore || isChosen('source', 'batch', 'meta'));
  return { form, end: () => clearTimeout(timer) };
}

/** @param {...Name} some */
const isChosen = (...some) => some.some((name) => chosen[name] !== unchosen[name]);

/**
 * The fields that few people need.
 *
 * @param {(name: Name) => (event: Event) => void} hear
 */
function moreFilters(hear) {
  const source = make('select', { onchange: hear('source') }, make('option', { value: '' }, 'All'));
  const sources = make('label', { class: 'field', hidden: true }, 'Source', source);
  void listSources(source).then((any) => {
    sources.hidden = !any;
  });
  return [
    sources,
    make(
      'label',
      { class: 'field' },
      'Batch',
      make('input', { type: 'number', min: 1, step: 1, value: chosen.batch, oninput: hear('batch') }),
    ),
    make(
      'label',
      { class: 'field' },
      'Meta',
      make('input', {
        type: 'text',
        placeholder: 'key=value',
        value: chosen.meta,
        maxlength: 256,
        spellcheck: 'false',
        autocapitalize: 'off',
        oninput: hear('meta'),
      }),
    ),
  ];
}

/** @param {HTMLSelectElement} select */
async function listSources(select) {
  try {
    const { items } = await get('/v1/sources');
    for (const { name } of items)
      select.append(make('option', { value: name, selected: chosen.source === name }, name));
    return items.length > 0;
  } catch {
    // That nobody answers is said at the top of the page.
    return false;
  }
}
