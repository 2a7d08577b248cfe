import { readdir, readFile } from 'node:fs/promises';

/** What Linux reports about a process and all processes that it started. */

/** The process and all that it started, if they still run. */
export async function treeOf(pid: number): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = new Map<number, number>();
  for (const name of names) {
    const parent = (await statOf(Number(name)))?.parent;
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const tree = [pid];
  // Grows during the loop.
  for (const parent of tree) {
    for (const [child, itsParent] of parents) if (itsParent === parent) tree.push(child);
  }
  return tree;
}

/** Memory in bytes; shared memory counts once. */
export async function memoryOf(pids: readonly number[]): Promise<number> {
  let bytes = 0;
  for (const pid of pids) {
    const rollup = await read(`/proc/${pid}/smaps_rollup`);
    bytes += 1024 * Number(/^Pss:\s+(\d+) kB$/m.exec(rollup ?? '')?.[1] ?? 0);
  }
  return bytes;
}

/** Processor time used so far, in milliseconds. */
export async function processorMsOf(pids: readonly number[]): Promise<number> {
  let ms = 0;
  for (const pid of pids) ms += (await statOf(pid))?.processorMs ?? 0;
  return ms;
}

/** Linux counts in ticks of 10 ms. */
const tickMs = 10;

async function statOf(pid: number): Promise<{ parent: number; processorMs: number } | null> {
  const stat = await read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The program's name, in parentheses, may contain anything; the parent is the second field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), processorMs: (Number(fields[11]) + Number(fields[12])) * tickMs };
}

/** `null` when the process has ended. */
async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code)))
      return null;
    throw error;
  }
}
