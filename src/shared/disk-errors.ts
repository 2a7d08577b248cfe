/** Categories of file system errors. */
export type DiskProblem = 'full' | 'forbidden' | 'missing' | 'taken' | 'failed';

const problems: ReadonlyMap<unknown, DiskProblem> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EACCES', 'forbidden'],
  ['EPERM', 'forbidden'],
  ['EROFS', 'forbidden'],
  ['ENOENT', 'missing'],
  ['ENOTDIR', 'missing'],
  ['EEXIST', 'taken'],
  ['EISDIR', 'taken'],
  ['EIO', 'failed'],
]);

/** Classifies a file system error by its `code`; null for any other value. */
export function diskProblemOf(cause: unknown): DiskProblem | null {
  if (!(cause instanceof Error) || !('code' in cause)) return null;
  return problems.get(cause.code) ?? null;
}

export const diskProblemWords: Readonly<Record<DiskProblem, string>> = {
  full: 'The disk is full.',
  forbidden: 'The app isn’t allowed to write to this folder.',
  missing: 'The folder doesn’t exist.',
  taken: 'A file or folder with that name already exists.',
  failed: 'The disk reported an error.',
};
