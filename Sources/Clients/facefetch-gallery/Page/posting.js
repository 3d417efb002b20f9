/** Posts batches, each once, also where an answer is lost on its way. */
import { Problem, send } from './api.js';

/** Milliseconds before each time that is asked again. */
const pauses = [500, 1500, 3000, 5000];

/**
 * Posts a batch. The key has the daemon give the same answer to the same batch, so that whoever hasn't heard it may ask
 * again.
 *
 * @param {Blob} body
 * @param {string} key
 * @param {(text: string) => void} tell what is going on
 */
export async function post(body, key, tell) {
  let isUnknown = false;
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await send('POST', '/v1/batches', body, { 'Idempotency-Key': key });
      if (tries > 0) tell('');
      return answer;
    } catch (error) {
      if (!(error instanceof Problem) || !isLost(error)) throw error;
      // Where nobody was there to hear it, nothing was added.
      isUnknown ||= error.status !== 503;
      if (tries < pauses.length) {
        tell(isUnknown ? 'The answer was lost. Asking again…' : 'The daemon can’t be reached. Trying again…');
        await new Promise((resolve) => setTimeout(resolve, pauses[tries]));
      } else if (isUnknown) {
        throw new Problem(
          error.status,
          'answer_lost',
          'The answer was lost, so these may have been added, or not. ' +
            'Press Start again once the daemon is back: nothing is added twice.',
        );
      } else {
        throw new Problem(503, error.code, 'the daemon can’t be reached; press Start once it is back');
      }
    }
  }
}

/**
 * True where nobody knows whether it arrived.
 *
 * @param {Problem} error
 */
function isLost(error) {
  return error.status === 0 || error.code === 'daemon_unreachable';
}
