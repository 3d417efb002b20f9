/** Which jobs go first. */
import { make } from '../dom.js';

/** What people can choose of the two hundred priorities there are. */
const priorities = [
  [50, 'First'],
  [0, 'Normal'],
  [-50, 'Last'],
];

/**
 * A choice of priorities.
 *
 * @param {string} label
 * @param {(priority: number) => void} chosen
 * @param {string} [none] what is chosen before anything is
 */
export function priorityChoice(label, chosen, none) {
  const select = make('select', {
    'aria-label': label,
    onchange: () => select.value !== '' && chosen(Number(select.value)),
  });
  if (none) select.append(make('option', { value: '' }, none));
  for (const [value, text] of priorities) select.append(make('option', { value }, text));
  return select;
}

/**
 * The choice that stands for a priority.
 *
 * @param {number} priority
 */
export function nearest(priority) {
  return String(priority > 0 ? 50 : priority < 0 ? -50 : 0);
}
