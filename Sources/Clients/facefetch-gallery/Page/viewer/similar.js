/** The documents that look like the one that is open, small. */
import { get } from '../api.js';
import { make, say } from '../dom.js';
import { withQuery } from '../query.js';
import { size } from '../words.js';
import { urlOf } from '../prefix.js';

/** The most that are shown. */
const most = 24;
/** Kept from one picture to the next, while the page is open. */
let isOpen = false;

/**
 * A part of the viewer that asks for them once it is opened.
 *
 * @param {number} id
 * @param {(ids: number[], chosen: number) => Promise<void>} show shows all of them, and first the one that is chosen
 */
export function similar(id, show) {
  const list = make('ul', { class: 'similar' });
  const said = make('p', { class: 'quiet', role: 'status' });
  const part = make(
    'details',
    { open: isOpen, ontoggle: () => void toggled() },
    make('summary', {}, 'Similar'),
    said,
    list,
  );
  let isAsked = false;

  async function toggled() {
    // One that was replaced is closed by nobody.
    if (part.isConnected) isOpen = part.open;
    if (!part.open || isAsked) return;
    isAsked = true;
    say(said, '');
    try {
      /** @type {import('facefetch-api').AlikePage} */
      const page = await get(withQuery(`/v1/jobs/${id}/similar`, { limit: most }));
      const ids = page.items.map((alike) => alike.job.id);
      list.append(...page.items.map((alike) => item(alike, ids)));
      const rest = (page.total ?? 0) - page.items.length;
      if (ids.length === 0) say(said, 'No other document looks like it.');
      else if (rest > 0) say(said, `And ${rest.toLocaleString('en')} more.`);
    } catch (error) {
      isAsked = false;
      say(said, error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * @param {import('facefetch-api').Alike} alike
   * @param {number[]} ids
   */
  function item({ job, distance }, ids) {
    const seen = job.detection;
    const pixels = seen?.width && seen.height ? `${seen.width} × ${seen.height}, ` : '';
    const words = `${job.name}: ${pixels}${size(job.bytes)}${distance ? `, ${distance} of 64 bits apart` : ''}`;
    const press = () => show(ids, job.id).catch((error) => say(said, error.message));
    return make(
      'li',
      {},
      make(
        'button',
        { type: 'button', title: words, onclick: () => void press() },
        make('img', { src: urlOf(`/v1/jobs/${job.id}/picture/thumb`), alt: words, loading: 'lazy' }),
      ),
    );
  }

  return part;
}
