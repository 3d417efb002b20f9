/** Has the daemon do something to jobs, sources and detection, and says what came of it. */
import { send, Problem } from '../api.js';
import { count } from '../words.js';
import { sentence } from './words.js';

/** How many of many requests are made at once: a browser has six connections, and one is for events. */
const atOnce = 4;
/** How many jobs are forgotten by one request. */
const atOnceForgotten = 500;

/** What has been done to one job, and to several; the same words as the client's. */
/** @type {Record<string, [string, string]>} */
const deeds = {
  pause: ['is paused', 'are paused'],
  resume: ['goes on', 'go on'],
  cancel: ['is cancelled', 'are cancelled'],
  retry: ['is tried again', 'are tried again'],
  detect: ['is looked at again', 'are looked at again'],
  order: ['has another priority', 'have another priority'],
};

/**
 * @param {number} number
 * @param {string} word
 */
function deed(number, word) {
  const [one, many] = deeds[word] ?? ['has changed', 'have changed'];
  return number > 0 ? `${count(number, 'job')} ${number === 1 ? one : many}.` : 'There was nothing to do.';
}

/**
 * @param {(text: string) => void} tell
 * @param {() => void} done
 */
export function steering(tell, done) {
  /** @param {unknown} error */
  const reason = (error) => (error instanceof Problem ? sentence(error.message) : String(error));

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {string} [words] what to say of it
   */
  async function one(method, path, body, words = '') {
    try {
      const answer = await send(method, path, body);
      const word = path.slice(path.lastIndexOf('/') + 1);
      if (typeof answer?.changed === 'number') tell(deed(answer.changed, word));
      else tell(word in deeds && typeof answer?.state === 'string' ? `${answer.name} ${deeds[word][0]}.` : words);
    } catch (error) {
      tell(reason(error));
    }
    done();
  }

  /**
   * The same for many jobs; what is refused keeps none of the others.
   *
   * @param {number[]} ids
   * @param {string} word
   * @param {(id: number) => Promise<unknown>} act
   */
  async function each(ids, word, act) {
    let refused = '';
    let number = 0;
    const left = ids.values();
    const work = async () => {
      for (const id of left) {
        try {
          await act(id);
          number += 1;
        } catch (error) {
          refused = reason(error);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const others = refused && number > 0 ? ` The other ${(ids.length - number).toLocaleString('en')}: ` : '';
    tell(refused ? `${number > 0 ? deed(number, word) : ''}${others}${refused}` : deed(number, word));
    done();
  }

  /**
   * Has jobs forgotten that have ended, some at a time.
   *
   * @param {number[]} ids
   * @param {string} word what that is called
   */
  async function dismiss(ids, word) {
    let number = 0;
    try {
      for (let start = 0; start < ids.length; start += atOnceForgotten) {
        const some = ids.slice(start, start + atOnceForgotten);
        number += (await send('POST', '/v1/jobs/forget', { ids: some })).forgotten;
      }
      tell(`${count(number, 'job')} ${word}.`);
    } catch (error) {
      tell(`${number > 0 ? `${count(number, 'job')} ${word}. ` : ''}${reason(error)}`);
    }
    done();
  }

  return {
    /**
     * @param {number[]} ids
     * @param {string} [word]
     */
    dismiss: (ids, word = 'dismissed') => void dismiss(ids, word),
    /**
     * @param {string} path
     * @param {string} [words] what to say of it
     */
    post: (path, words) => void one('POST', path, undefined, words),
    /**
     * @param {number} id
     * @param {number} priority
     */
    order: (id, priority) => void one('PATCH', `/v1/jobs/${id}`, { priority }),
    /**
     * @param {number[]} ids
     * @param {string} word
     */
    postEach: (ids, word) => void each(ids, word, (id) => send('POST', `/v1/jobs/${id}/${word}`)),
    /**
     * @param {number[]} ids
     * @param {number} priority
     */
    orderEach: (ids, priority) => void each(ids, 'order', (id) => send('PATCH', `/v1/jobs/${id}`, { priority })),
  };
}
