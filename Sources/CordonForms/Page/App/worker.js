// Keeps the files of the app, so that it opens without a network. Records are not its concern: the page keeps them itself.

const CACHE = "cordon-form-{{tag}}";
const FILES = ["./", "app.js", "app.css", "manifest.webmanifest", "icon.svg"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    // Caches of the other forms of this origin are theirs.
    const scope = new URL(self.registration.scope).pathname;
    for (const name of await caches.keys()) {
      const own = name.startsWith("cordon-form-") && name !== CACHE && await (await caches.open(name)).match(scope + "app.js");
      if (own) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const scope = new URL(self.registration.scope);
  if (event.request.method !== "GET" || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  event.respondWith(caches.open(CACHE).then(async (cache) => await cache.match(url.pathname) ?? fetch(event.request)));
});
