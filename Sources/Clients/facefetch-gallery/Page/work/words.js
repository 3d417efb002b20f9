/** What jobs and sources are doing, and what to do about it, in words. */
import { clock, count, size, time } from '../words.js';

/** @param {import('../jobs.js').Job} job */
export function describe(job) {
  const of = job.total_bytes === null ? size(job.bytes) : `${size(job.bytes)} of ${size(job.total_bytes)}`;
  switch (job.state) {
    case 'downloading': {
      const rate = job.bytes_per_second ?? 0;
      const left = rate > 0 && job.total_bytes !== null ? `, ${time((job.total_bytes - job.bytes) / rate)} left` : '';
      return `${of}${rate > 0 ? `, ${size(rate)}/s` : ''}${left}`;
    }
    case 'detecting':
      return 'looking for faces';
    case 'failed':
      return `${sentence(job.error?.message ?? '')} ${remedy(job.error?.code ?? '')}`;
    case 'waiting':
      return `Again at ${clock(job.waiting?.until ?? '')}: ${job.waiting?.reason ?? ''}`;
    case 'paused':
      return job.bytes > 0 ? `paused at ${of}` : 'paused';
    case 'stored':
      return size(job.bytes);
    default:
      return job.url;
  }
}

/**
 * What a person can do about a failure.
 *
 * @param {string} code
 */
function remedy(code) {
  if (/not_found|gone|http_404|http_410/.test(code))
    return 'The server has no such file (any more). Look whether the address is right.';
  if (/unauthori|forbidden|http_401|http_403/.test(code))
    return 'The server wants to know who asks, or has let the address expire.';
  if (code === 'denied_network')
    return 'This address lies in a network that the daemon doesn’t ask; an administrator can allow it in the settings.';
  if (/^http_(429|503)$/.test(code)) return 'The server has asked for fewer requests. Retry later.';
  if (code === 'paced')
    return 'Its turn at a host with a pace didn’t come in time. An administrator can raise the pace; then retry.';
  if (code === 'unexpected_content_type')
    return (
      'This isn’t the address of a picture, but of a page with one perhaps: ' + 'add the address of the picture itself.'
    );
  if (code === 'unresolved_host')
    return 'There is no such host, or its name can’t be looked up. Look whether the address is right.';
  if (/^(connect_failed|connection_lost|timed_out|stalled|truncated)$/.test(code))
    return 'The server didn’t answer, or not to the end. Look whether a browser gets it, and retry later.';
  if (/redirect/.test(code))
    return (
      'The server redirects too often, or to where the daemon doesn’t go. ' +
      'Open the address in a tab, and add the one where that ends.'
    );
  if (code === 'challenge')
    return 'Its host asks for a browser. An administrator can give it cookies of one in the settings; then retry.';
  if (/^(tls_failed|bad_certificate)$/.test(code))
    return 'The server’s certificate isn’t trusted. Look whether the address and this machine’s clock are right.';
  if (code === 'refused_by_robots')
    return 'Its site reserves it from machine learning, and the settings respect that. Ask its owner, or leave it.';
  if (code === 'too_large') return 'An administrator can raise the limit of a file’s size in the settings; then retry.';
  if (code === 'refused_scheme') return 'The settings don’t allow http: addresses. Add it with https:.';
  if (/^(no_source|source_unusable)$/.test(code))
    return 'Apply the recipe of its source again, or mend the source’s secret; then retry.';
  if (code === 'out_of_resources')
    return 'The machine has too little memory, or too few open files. Retry when it has more.';
  if (code === 'checksum_mismatch')
    return 'The server has other bytes than were expected. Look whether the checksum is right, then retry.';
  if (code === 'empty')
    return 'The server has an empty file under this address. Look whether a browser gets more, and retry later.';
  if (code === 'incomplete_coding')
    return (
      'The server compresses the file, and its end never came. ' +
      'Retry later; if that stays so, its operator has to mend it.'
    );
  if (code === 'too_large_for_disk')
    return 'Make room on the disk, then retry, unless the address has a file without end.';
  if (code === 'disk_full') return 'Make room on the disk, then retry.';
  if (code === 'bad_folder') return 'A file or a link has the place of its folder. Move that away, then retry.';
  if (/^storage_/.test(code)) return 'Look whether the daemon’s directories are there and can be written, then retry.';
  if (/^http_5/.test(code))
    return 'The server has a fault of its own. Retry later; if that stays so, its operator has to mend it.';
  if (/^http_4/.test(code)) return 'The server refuses it. Look whether a browser gets it.';
  if (code === 'protocol_error') return 'The server’s answer makes no sense; its operator has to mend it.';
  return 'Retry tries it again.';
}

/** @typedef {import('facefetch-api').Source} Source */

/** @type {Record<string, string>} */
const doing = {
  reading: 'Asks for pages',
  held: 'Has read far enough ahead',
  idle: 'Waits for its next walk',
  waiting: 'A page failed, and is asked for again',
  failed: 'Needs mending',
  paused: 'Paused',
  ended: 'Read to its end',
};

/** @param {Source} source */
export function describeSource(source) {
  const { code, until, reason } = source.state;
  const next = until ?? source.next_at;
  const parts = [
    `${doing[code] ?? code}${next ? ` (${clock(next)})` : ''}${reason ? `: ${reason}` : ''}`,
    `${count(source.items, 'item')} on ${count(source.pages, 'page')}, ${source.new.toLocaleString('en')} new`,
    source.bad > 0 && `${source.bad.toLocaleString('en')} unusable`,
    source.last_error && sentence(source.last_error.message),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** @param {string} text */
export function sentence(text) {
  // The name of a host or a file is written as it is.
  const isWord = /^[a-z]+(?=[\s,;’'!?]|\.?$)/.test(text);
  const whole = isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return whole === '' || /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
