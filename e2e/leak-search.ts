import { open, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningApp } from './running-app.ts';

/** The forms in which a text may have leaked; half of a text counts, too. */
function traces(texts: readonly string[]): Buffer[] {
  const halves = texts.flatMap((text) => {
    const middle = Math.floor(text.length / 2);
    return [text.slice(0, middle), text.slice(middle)];
  });
  return halves.flatMap((half) => {
    const bytes = Buffer.from(half, 'utf8');
    return [bytes, Buffer.from(half, 'utf16le'), Buffer.from(bytes.toString('hex'))];
  });
}

/** Whether one of the texts, or half of it, is in these bytes as UTF-8, UTF-16 or hexadecimal digits. */
function has(bytes: Buffer | string, ...texts: string[]): boolean {
  const searched = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  return traces(texts).some((trace) => searched.includes(trace));
}

/** All files under a folder that contain one of the texts. */
export async function filesWith(folder: string, ...texts: string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await unlessGone(readFile(path));
    if (bytes !== null && has(bytes, ...texts)) found.push(path);
  }
  return found;
}

/** Searches the running app and its surroundings for the texts: the finds for each kind of place. */
export async function searchApp(running: RunningApp, folders: readonly string[], ...texts: string[]) {
  const pids = await processesFrom(running.pid);
  const page = await pageTexts(running);
  const clipboard = await running.app.evaluate(({ clipboard: system }) => system.readText());
  return {
    files: (await Promise.all(folders.map((folder) => filesWith(folder, ...texts)))).flat(),
    commandLines: await procFilesWith(pids, 'cmdline', ...texts),
    environments: await procFilesWith(pids, 'environ', ...texts),
    clipboard: has(clipboard, ...texts) ? ['clipboard'] : [],
    markup: has(page.markup, ...texts) ? ['markup'] : [],
    inputs: page.inputs.filter((value) => has(value, ...texts)),
    heap: has(page.heap, ...texts) ? ['heap'] : [],
  };
}

async function pageTexts({ page }: RunningApp) {
  const { markup, inputs } = await page.evaluate(() => ({
    markup: document.documentElement.outerHTML,
    inputs: [...document.querySelectorAll('input, textarea, select')].map((field) =>
      String(Reflect.get(field, 'value')),
    ),
  }));
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot');
  await session.detach();
  return { markup, inputs, heap: chunks.join('') };
}

/** A process and all that it has started. */
async function processesFrom(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await unlessGone(readFile(`/proc/${name}/stat`, 'utf8'));
    // The program's name is in parentheses and may contain some itself; the parent is the second word after it.
    const parent = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const found = [root];
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return found;
}

async function procFilesWith(pids: readonly number[], file: 'cmdline' | 'environ', ...texts: string[]) {
  const found: string[] = [];
  for (const pid of pids) {
    const bytes = await unlessGone(readFile(`/proc/${pid}/${file}`));
    if (bytes !== null && has(bytes, ...texts)) found.push(`${file} of ${pid}`);
  }
  return found;
}

/** Every process of the app by its kind, and whether its writable memory contains one of the texts. */
export async function searchMemory(running: RunningApp, text: string): Promise<Record<string, boolean>> {
  const metrics = await running.app.evaluate(({ app }) =>
    app.getAppMetrics().map(({ pid, type, serviceName }) => ({ pid, name: serviceName ?? type })),
  );
  const found: Record<string, boolean> = {};
  for (const { pid, name } of metrics) found[name] = (found[name] ?? false) || (await memoryHas(pid, text));
  return found;
}

const memoryPieceBytes = 8 * 1024 * 1024;

async function memoryHas(pid: number, text: string): Promise<boolean> {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  const memory = await open(`/proc/${pid}/mem`, 'r');
  // Pieces overlap, so that a text across their border is found.
  const overlapBytes = 4 * text.length;
  const piece = Buffer.alloc(memoryPieceBytes + overlapBytes);
  try {
    for (const [, from, to] of maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)) {
      const end = Number(`0x${to ?? ''}`);
      for (let start = Number(`0x${from ?? ''}`); start < end; start += memoryPieceBytes) {
        const length = Math.min(piece.length, end - start);
        const { bytesRead } = (await unlessGone(memory.read(piece, 0, length, start))) ?? { bytesRead: 0 };
        if (has(piece.subarray(0, bytesRead), text)) return true;
      }
    }
    return false;
  } finally {
    await memory.close();
  }
}

/** Null for a file, a process or a piece of memory that no longer exists. */
async function unlessGone<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EIO') return null;
    throw error;
  }
}
