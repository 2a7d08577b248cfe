import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { diskProblemOf, diskProblemWords } from '../../../shared/disk-errors.ts';
import { AppFailure } from '../../../shared/errors.ts';
import type { FileSaver, Pieces } from '../../core/ports.ts';

/** The part of Electron's `dialog` for saving files. */
export interface SaveDialog {
  showSaveDialog(options: {
    defaultPath: string;
    filters: { name: string; extensions: string[] }[];
  }): Promise<{ canceled: boolean; filePath: string }>;
}

/** The `FileSaver` port. `folder` is where the dialog starts. */
export function createFileSaver(dialog: SaveDialog, folder: () => string): FileSaver {
  return {
    async choose(suggestedName, format) {
      const { canceled, filePath } = await dialog.showSaveDialog({
        defaultPath: join(folder(), suggestedName),
        // Dialogs only use the last extension.
        filters: [{ name: format.toUpperCase(), extensions: [format.split('.').at(-1) ?? format] }],
      });
      return canceled || filePath === '' ? null : filePath;
    },
    async write(path, pieces, compression) {
      // In the same folder, so that renaming it to its final name is atomic.
      const draft = join(dirname(path), `.watchkeeper-${randomUUID().slice(0, 8)}.part`);
      try {
        await writeAll(draft, pieces, compression === 'gzip');
        await rename(draft, path);
      } catch (cause) {
        // Why it could not be written is what counts.
        await rm(draft, { force: true }).catch(() => undefined);
        throw toFailure(cause);
      }
    },
  };
}

async function writeAll(path: string, pieces: Pieces, isCompressed: boolean): Promise<void> {
  const file = await open(path, 'wx');
  const writePieces = async (bytes: Iterable<string> | AsyncIterable<string | Uint8Array>): Promise<void> => {
    let writing: Promise<void> = Promise.resolve();
    try {
      for await (const piece of bytes) {
        await writing;
        // The next piece is produced while this one is being written.
        writing = file.writeFile(piece);
        // The failure is handled where `writing` is awaited; this only prevents an unhandled rejection.
        writing.catch(() => undefined);
      }
    } finally {
      await writing;
    }
  };
  try {
    if (isCompressed) await pipeline(Readable.from(pieces), createGzip(), writePieces);
    else await writePieces(pieces);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Converts a file system error to an `AppFailure`; returns others unchanged. */
function toFailure(cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return cause;
  const problem = diskProblemOf(cause);
  const why = problem === null ? `The system reported an error (${cause.code}).` : diskProblemWords[problem];
  return new AppFailure({ code: 'storage', message: `Couldn’t save the file. ${why}` });
}
