import type { AddedLine } from '../../../../shared/activity/types.ts';
import type { FileSaver } from '../../ports.ts';
import type { AddressFields } from './address-fields.ts';
import { addressesToCsv, addressesToJson, readAddressLines, type AddressLine } from './address-lines.ts';
import type { WatchlistService } from './watchlist-service.ts';

export interface AddressListsDeps {
  watchlist: WatchlistService;
  files: FileSaver;
}

/** Import and export of the watchlist: many addresses at once, from a text or into a file. */
export class AddressLists {
  readonly #deps: AddressListsDeps;
  constructor(deps: AddressListsDeps) {
    this.#deps = deps;
  }

  /**
   * Watches the addresses in a text and returns the outcome of each line. An address watched already is updated with
   * what the line says; a line without anything new is a duplicate. Rejects when the store fails; then none is added.
   */
  async addMany(text: string): Promise<AddedLine[]> {
    const { watchlist } = this.#deps;
    let outcomes: AddedLine[] = [];
    await watchlist.addMany(() => {
      const chosen = new Map<string, AddressFields>();
      outcomes = readAddressLines(text).map((read) => {
        const { line, input, address, suggestion, problem } = read;
        if (address === null)
          return { line, input, outcome: problem ?? 'not-an-address', address: suggestion };
        const before = chosen.get(address) ?? watchlist.fieldsOf(address);
        const after = withLine(before ?? unnamed, read);
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        if (!isSame) chosen.set(address, after);
        const outcome = before === null ? 'added' : isSame ? 'duplicate' : 'updated';
        return { line, input, outcome, address };
      });
      return chosen;
    });
    return outcomes;
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

const unnamed: AddressFields = { label: null, tags: [], colour: null, paused: false };

function withLine(known: AddressFields, said: AddressLine): AddressFields {
  return {
    label: said.label ?? known.label,
    tags: said.tags ?? known.tags,
    colour: said.colour ?? known.colour,
    paused: said.paused ?? known.paused,
  };
}
