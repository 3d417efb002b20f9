/** What is known of a picture, as a list of terms. */
import { make } from '../dom.js';
import { isSure } from '../boxes.js';
import { count, moment, size } from '../words.js';

/** @param {import('../jobs.js').Job} job */
export function facts(job) {
  const list = make('dl', {});
  /**
   * @param {string} term
   * @param {string | Node | null | undefined} text
   */
  const say = (term, text) => {
    if (text) list.append(make('dt', {}, term), make('dd', {}, text));
  };
  const seen = job.detection;
  say('Faces', seen ? `${outcome(seen)}${isAskedFor(job) ? '; asked for again' : ''}` : 'not looked at yet');
  if (seen && seen.face_count)
    say(isSure(seen) ? 'How sure' : 'Scores', seen.faces.map((face) => face.confidence.toFixed(2)).join(', '));
  if (seen?.width && seen.height)
    say('Picture', `${seen.width} × ${seen.height} pixels${seen.format ? `, ${seen.format.toUpperCase()}` : ''}`);
  say('Size', size(job.bytes));
  say(
    'From',
    /^https?:/.test(job.url)
      ? make('a', { href: job.url, rel: 'noreferrer noopener', target: '_blank' }, job.url)
      : job.url,
  );
  say('Source', job.source);
  for (const [name, value] of Object.entries(job.meta ?? {}))
    say(name, typeof value === 'string' ? value : JSON.stringify(value));
  say('Batch and job', `b${job.batch}, j${job.id}`);
  say('Asked for', moment(job.created_at));
  say('Done', moment(job.finished_at));
  say('Stored at', job.path);
  if (job.evicted_at) say('Removed', `on ${moment(job.evicted_at)}; the job and its result stay`);
  say('SHA-256', job.sha256);
  if (seen?.engine) {
    const by = seen.shared_from ? `, in the same bytes of j${seen.shared_from}` : ` in ${seen.seconds.toFixed(2)} s`;
    say('Looked at by', `${seen.engine}${by}`);
  }
  return list;
}

/**
 * Whether faces are still to be looked for.
 *
 * @param {import('../jobs.js').Job} job
 */
export function isAskedFor(job) {
  return job.state === 'stored' || job.state === 'detecting';
}

/** @param {import('../jobs.js').Detection} seen */
export function outcome(seen) {
  switch (seen.outcome) {
    case 'counted':
      return count(seen.face_count ?? 0, 'face');
    case 'unreadable':
      return 'unreadable as a picture';
    case 'crashed':
      return 'whoever looked at it ended without an answer, twice';
    case 'timed_out':
      return 'looking took too long';
    default:
      return 'not looked at';
  }
}
