import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { AppFailure } from '../../../shared/errors.ts';
import type { Log } from '../../core/ports.ts';

// From a downloaded package to the next version of the app, so that at no moment there is neither the old nor the new one. What
// replaces the app is synchronous: nothing ends it in between.

/** A package that was downloaded, and the SHA-512 (base64) of each file that the release announced. */
export interface DownloadedUpdate {
  file: string;
  announced: readonly string[];
}

/** A compressed package may need this many times its size when it is unpacked. */
const unpackedTimes = 4;
/** The system and the app itself go on writing meanwhile. */
const spareBytes = 50_000_000;

/** The same as `checkUpdate`, while the app goes on: a package has 100 MB to be read. */
export async function checkDownload(update: DownloadedUpdate, folder: string, isUnpacked: boolean) {
  const digest = existsSync(update.file) ? await sha512InPieces(update.file) : '';
  checkUpdate(update, folder, isUnpacked, () => digest);
}

/** Throws unless the package is there, is one that was announced, and fits into `folder`, which can be written. */
export function checkUpdate(
  { file, announced }: DownloadedUpdate,
  folder: string,
  isUnpacked: boolean,
  digestOf = sha512,
) {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) throw storage('The downloaded package is gone.');
  if (!announced.includes(digestOf(file))) {
    rmSync(file, { force: true });
    const message = 'The download didn’t match its published checksum, so the app deleted it.';
    throw new AppFailure({ code: 'bad-response', message, issues: [] });
  }
  const needed = bytes * (isUnpacked ? unpackedTimes : 1) + spareBytes;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < needed) {
    throw storage(`There is not enough disk space to install it: ${Math.ceil(needed / 1e6)} MB are needed.`);
  }
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw storage(`Watchkeeper is not allowed to write to its folder ${folder}.`);
  }
}

/**
 * Puts the package in the place of an AppImage, which stays beside it under another name until the new one has started. Its
 * download, as large, would stay until the next one.
 */
export function replaceAppImage(appImage: string, { file, announced }: DownloadedUpdate): void {
  const next = `${appImage}.next`;
  try {
    copyFileSync(file, next);
    chmodSync(next, 0o755);
    const written = openSync(next, 'r');
    fsyncSync(written);
    closeSync(written);
    if (!announced.includes(sha512(next))) throw storage('The package couldn’t be copied.');
    rmSync(previousOf(appImage), { force: true });
    keep(appImage, previousOf(appImage));
    renameSync(next, appImage);
    rmSync(file, { force: true });
  } finally {
    rmSync(next, { force: true });
  }
}

/** Called when the app has started: the version before it is not needed any more. */
export function forgetPreviousAppImage(appImage: string, log: Pick<Log, 'warn'>): void {
  try {
    rmSync(previousOf(appImage), { force: true });
  } catch (cause) {
    log.warn('updates.previous-not-removed', { cause: String(cause) });
  }
}

const previousOf = (appImage: string) => `${appImage}.previous`;

/** A second name for the same file, or, on disks that have no such names, a copy. */
function keep(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && ['EPERM', 'ENOTSUP'].includes(String(cause.code))))
      throw cause;
    copyFileSync(file, name);
  }
}

function sha512(file: string): string {
  const hash = createHash('sha512');
  const piece = Buffer.allocUnsafe(1 << 20);
  const open = openSync(file, 'r');
  try {
    for (let count = readSync(open, piece); count > 0; count = readSync(open, piece)) {
      hash.update(piece.subarray(0, count));
    }
  } finally {
    closeSync(open);
  }
  return hash.digest('base64');
}

async function sha512InPieces(file: string): Promise<string> {
  const hash = createHash('sha512');
  for await (const piece of createReadStream(file)) {
    // Without an encoding, the stream of a file has bytes alone.
    hash.update(piece as Buffer);
  }
  return hash.digest('base64');
}

const storage = (message: string) => new AppFailure({ code: 'storage', message });
