/**
 * One connection for all tabs: a browser has six to a server, and each stream of events takes one. Its name is the
 * prefix that those tabs have.
 */
import { Feed } from './feed-source.js';
import { usePrefix } from './prefix.js';

usePrefix(self.name);

/** @type {Set<MessagePort>} */
const tabs = new Set();
/** @type {import('./feed-source.js').JobEvent[]} */
let recent = [];
let connected = false;
let store = '';

const feed = new Feed((news) => {
  if ('events' in news) recent = recent.concat(news.events).slice(-1000);
  if ('connected' in news) connected = news.connected;
  for (const tab of tabs) tab.postMessage(news);
});

self.addEventListener('connect', (event) => {
  const port = /** @type {MessageEvent} */ (event).ports[0];
  port.addEventListener('message', (message) => {
    if (message.data === 'on') {
      tabs.add(port);
      port.postMessage({ events: recent });
      if (connected) port.postMessage({ connected });
      void feed.start();
    } else if (message.data.startsWith('store ')) {
      // Another store counts its events from the beginning.
      if (store && store !== message.data) {
        recent = [];
        feed.beginAnew();
      }
      store = message.data;
    } else {
      tabs.delete(port);
      // Nobody looks, nobody asks.
      if (tabs.size === 0) feed.stop();
    }
  });
  port.start();
});
