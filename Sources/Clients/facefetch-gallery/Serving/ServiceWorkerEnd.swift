/// Ends the service worker that another program has left in the browser for this address and port.
///
/// It would go on answering in the gallery's place. A browser asks for its script anew when a page is opened,
/// and takes this one instead, which gives the address back and opens its pages again.
enum ServiceWorkerEnd {
    /// Its media type; with any other, browsers don't take it.
    static let type = "text/javascript; charset=utf-8"

    /// The script.
    static let script = Array(
        """
        self.addEventListener('install', () => self.skipWaiting());
        self.addEventListener('activate', (event) => event.waitUntil((async () => {
          const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
          await self.registration.unregister();
          await Promise.all(pages.map((page) => page.navigate(page.url).catch(() => null)));
        })()));

        """.utf8
    )
}
