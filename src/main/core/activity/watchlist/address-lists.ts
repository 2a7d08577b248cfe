import type { AddedLine } from '../../../../shared/activity/types.ts';
import { AppFailure, err, ok, type Result } from '../../../../shared/errors.ts';
import type { FileSaver, Log } from '../../ports.ts';
import { addressesToCsv, addressesToJson, readAddressLines, type AddressLine } from './address-lines.ts';
import type { WatchlistService } from './watchlist-service.ts';

export interface AddressListsDeps {
  watchlist: WatchlistService;
  files: FileSaver;
  log: Log;
}

/** The watchlist as a list of lines: many addresses at once, from a text and into a file. */
export class AddressLists {
  readonly #deps: AddressListsDeps;

  constructor(deps: AddressListsDeps) {
    this.#deps = deps;
  }

  /**
   * Watches the addresses of a text and tells what became of each line. An address that is watched already takes over
   * what the line says about it; a line that says nothing new is a duplicate. Ends with an error of the store, if there
   * is one: what was added by then stays.
   */
  async addMany(text: string): Promise<Result<AddedLine[]>> {
    const outcomes: AddedLine[] = [];
    for (const line of readAddressLines(text)) {
      const outcome = await this.#take(line);
      if (!outcome.ok) return outcome;
      const { line: number, input, suggestion } = line;
      outcomes.push({ line: number, input, outcome: outcome.value, address: line.address ?? suggestion });
    }
    return ok(outcomes);
  }

  async #take(line: AddressLine): Promise<Result<AddedLine['outcome']>> {
    const { watchlist } = this.#deps;
    if (line.address === null) return ok(line.problem ?? 'not-an-address');
    const before = watchlist.fieldsOf(line.address);
    if (before === null) {
      const { label, colour } = line;
      const fields = { label, colour, tags: line.tags ?? [], paused: line.paused ?? false };
      const added = await watchlist.add(line.address, fields);
      return added.ok ? ok('added') : added;
    }
    const after = {
      label: line.label ?? before.label,
      tags: line.tags ?? before.tags,
      colour: line.colour ?? before.colour,
      paused: line.paused ?? before.paused,
    };
    if (JSON.stringify(before) === JSON.stringify(after)) return ok('duplicate');
    const updated = await watchlist.update(line.address, after);
    return updated.ok ? ok('updated') : updated;
  }

  /** Writes the list to a place of the user's choice; null when they want none. */
  async export(format: 'csv' | 'json'): Promise<Result<{ path: string } | null>> {
    const { files, watchlist, log } = this.#deps;
    try {
      const path = await files.choose(`addresses.${format}`, format);
      if (path === null) return ok(null);
      const list = watchlist
        .views()
        .map(({ address, label, tags, colour, paused }) => ({ address, label, tags, colour, paused }));
      const text = format === 'csv' ? addressesToCsv(list) : addressesToJson(list);
      await files.write(path, onePiece(text));
      return ok({ path });
    } catch (cause) {
      const ref = log.error('addresses.export-failed', cause);
      return err(
        cause instanceof AppFailure
          ? cause.error
          : { code: 'internal', message: 'The file could not be written.', ref },
      );
    }
  }
}

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text;
}
