import type { AddedLine } from '../../../../shared/activity/types.ts';
import { Turns } from '../../../../shared/turns.ts';
import type { FileSaver } from '../../ports.ts';
import { addressesToCsv, addressesToJson, readAddressLines, type AddressLine } from './address-lines.ts';
import type { WatchlistService } from './watchlist-service.ts';

export interface AddressListsDeps {
  watchlist: WatchlistService;
  files: FileSaver;
}

/** Import and export of the watchlist: many addresses at once, from a text or into a file. */
export class AddressLists {
  readonly #deps: AddressListsDeps;
  /** One list at a time, because two may have the same address. */
  readonly #lists = new Turns();

  constructor(deps: AddressListsDeps) {
    this.#deps = deps;
  }

  /**
   * Watches the addresses in a text and returns the outcome of each line. An address watched already is updated with
   * what the line says; a line without anything new is a duplicate. Rejects when the store fails; addresses added
   * before that stay.
   */
  async addMany(text: string): Promise<AddedLine[]> {
    return await this.#lists.take(async () => {
      const outcomes: AddedLine[] = [];
      for (const line of readAddressLines(text)) {
        const { line: number, input, address, suggestion } = line;
        outcomes.push({
          line: number,
          input,
          outcome: await this.#take(line),
          address: address ?? suggestion,
        });
      }
      return outcomes;
    });
  }

  async #take(line: AddressLine): Promise<AddedLine['outcome']> {
    const { watchlist } = this.#deps;
    if (line.address === null) return line.problem ?? 'not-an-address';
    const before = watchlist.fieldsOf(line.address);
    if (before === null) {
      const { label, colour } = line;
      const fields = { label, colour, tags: line.tags ?? [], paused: line.paused ?? false };
      const isOneOfMany = true;
      await watchlist.add(line.address, fields, isOneOfMany);
      return 'added';
    }
    const after = {
      label: line.label ?? before.label,
      tags: line.tags ?? before.tags,
      colour: line.colour ?? before.colour,
      paused: line.paused ?? before.paused,
    };
    if (JSON.stringify(before) === JSON.stringify(after)) return 'duplicate';
    await watchlist.update(line.address, after);
    return 'updated';
  }

  /** Writes the list to a file that the user chooses; null when the user cancelled the dialog. */
  async export(format: 'csv' | 'json'): Promise<{ path: string } | null> {
    const { files, watchlist } = this.#deps;
    const path = await files.choose(`addresses.${format}`, format);
    if (path === null) return null;
    const list = watchlist
      .views()
      .map(({ address, label, tags, colour, paused }) => ({ address, label, tags, colour, paused }));
    await files.write(path, [format === 'csv' ? addressesToCsv(list) : addressesToJson(list)]);
    return { path };
  }
}
