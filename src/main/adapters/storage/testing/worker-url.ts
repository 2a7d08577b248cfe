/** The program of the storage thread as one file, which `scripts/build-threads.mjs` builds before the tests. */
export const workerUrl = new URL('../../../../../.cache/threads/storage-worker.js', import.meta.url);
