/** The names of days on the wall, each above the first picture of its day. */
import { make, say } from '../dom.js';
import { dayFrom, dayName } from './days.js';
import { head } from './rows.js';

export class DayNames {
  /** @param {import('./wall.js').Wall} wall */
  constructor(wall) {
    this.wall = wall;
    /** @type {Map<number, {item: HTMLElement, title: HTMLElement, tally: HTMLElement}>} by when the days begin */
    this.names = new Map();
    /** The day on which they were named; the next one calls them otherwise. */
    this.today = 0;
  }

  clear() {
    for (const { item } of this.names.values()) item.remove();
    this.names.clear();
  }

  /**
   * Puts them above the first pictures of each day, among those that are there.
   *
   * @param {number} from
   * @param {number} to
   * @param {number} shift how far all rows are moved down
   */
  show(from, to, shift) {
    const { rows, documents, tiles, list } = this.wall;
    const { days, top, rowOf } = rows;
    const today = new Date().setHours(0, 0, 0, 0);
    if (today !== this.today) for (const [begin, { title }] of this.names) say(title, dayName(begin));
    this.today = today;
    const gone = new Map(this.names);
    for (let day = dayFrom(days, from); day < days.first.length && days.first[day] < to; day += 1) {
      const place = days.first[day];
      const begin = days.begin[day];
      const { item, tally } = this.names.get(begin) ?? this.add(begin);
      gone.delete(begin);
      // How many there are of the last one isn't known before all are.
      const end = days.first[day + 1] ?? (documents.isWhole ? documents.length : null);
      say(tally, end === null ? '' : (end - place).toLocaleString('en'));
      item.style.transform = `translateY(${top[rowOf[place]] + shift - head}px)`;
      // Screen readers go by the order of the document.
      const first = tiles.get(place)?.item ?? null;
      if (item.nextElementSibling !== first || !item.isConnected) list.insertBefore(item, first);
    }
    for (const [begin, { item }] of gone) {
      item.remove();
      this.names.delete(begin);
    }
  }

  /** @param {number} begin */
  add(begin) {
    const title = make('h2', {}, dayName(begin));
    const tally = make('span', { class: 'tally' });
    const name = { item: make('li', { class: 'day' }, title, tally), title, tally };
    this.names.set(begin, name);
    return name;
  }
}
