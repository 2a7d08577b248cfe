import type { ChoiceField } from '../../../../../shared/activity/filter.ts';
import type { FacetTexts } from '../facet-texts.ts';
import {
  completenessValues,
  storedCompletenesses,
  storedDirections,
  storedKinds,
  storedStatuses,
} from '../stored-codes.ts';
import { nameOf, tokenLabel } from '../value-counts.ts';
import { reasonsOfBits } from '../verdict.ts';
import { bitParts, type Columns } from './columns.ts';
import type { IndexContext } from './index-context.ts';

/** The data of a field whose values can be chosen: a number for each row, and what the number means. */
export interface FieldColumn {
  /** Null: the row's tokens. */
  numbers: Uint32Array | null;
  shift: number;
  mask: number;
  /** A lookup table with 1 at each number that has a value which is meant. */
  tableOf: (isMeant: (value: string) => boolean) => Uint8Array;
  valuesOf: (number: number) => readonly string[];
  /** Label, where it differs from the value. */
  labelOf?: (number: number) => string;
  /** The values are addresses in lower case. */
  isAddress?: boolean;
}

export interface FieldSources {
  columns: Columns;
  facets: FacetTexts;
  context: IndexContext;
}

/** A lookup table with 1 at the numbers whose content is meant. Reading beyond all of them gives undefined, and is slow. */
export function tableWhere<Content>(
  contents: ReadonlyMap<number, Content>,
  isMeant: (content: Content) => boolean,
): Uint8Array {
  let largest = 0;
  for (const number of contents.keys()) largest = Math.max(largest, number);
  const table = new Uint8Array(largest + 1);
  contents.forEach((content, number) => {
    if (isMeant(content)) table[number] = 1;
  });
  return table;
}

const wholeNumber = { shift: 0, mask: 0x7fff_ffff };

/** The column of a field; used by pills and for the list of values they offer. */
export function fieldColumn(field: ChoiceField, { columns, facets, context }: FieldSources): FieldColumn {
  const { names, watched, chains } = context;
  const { address, chain, counterparty, method, bits } = columns.numbers;
  const nameOfRef = <Content>(
    numbers: Uint32Array | null,
    contents: ReadonlyMap<number, Content>,
    valuesOf: (content: Content) => readonly string[],
    labelOf?: (content: Content) => string,
  ): FieldColumn => {
    const found = <Text>(ref: number, read: (content: Content) => Text, otherwise: Text): Text => {
      const content = contents.get(ref);
      return content === undefined ? otherwise : read(content);
    };
    return {
      ...{ ...wholeNumber, numbers },
      tableOf: (isMeant) => tableWhere(contents, (content) => valuesOf(content).some(isMeant)),
      valuesOf: (ref) => found(ref, valuesOf, []),
      ...(labelOf === undefined ? {} : { labelOf: (ref: number) => found(ref, labelOf, '') }),
    };
  };
  const nameOfPart = (
    part: keyof typeof bitParts,
    valuesOf: (number: number) => readonly string[],
  ): FieldColumn => {
    const { shift, mask } = bitParts[part];
    const tableOf = (isMeant: (value: string) => boolean) =>
      Uint8Array.from({ length: mask + 1 }, (_none, number) => (valuesOf(number).some(isMeant) ? 1 : 0));
    return { numbers: bits, shift, mask, tableOf, valuesOf };
  };
  const place = (values: readonly string[]) => (number: number) => values.slice(number, number + 1);
  switch (field) {
    case 'address': {
      const labelOf = (own: string) => nameOf(own, names, null);
      return { ...nameOfRef(address, watched, (own) => [own.toLowerCase()], labelOf), isAddress: true };
    }
    case 'tag':
      return nameOfRef(address, watched, (own) => [...new Set(names.watched.get(own.toLowerCase())?.tags)]);
    case 'chain':
      return nameOfRef(chain, chains, (chainId) => [chainId]);
    case 'kind':
      return nameOfPart('kind', place(storedKinds));
    case 'direction':
      return nameOfPart('direction', place(storedDirections));
    case 'status':
      return nameOfPart('status', place(storedStatuses));
    case 'completeness':
      return nameOfPart('completeness', (number) =>
        storedCompletenesses
          .slice(number & 1, (number & 1) + 1)
          .flatMap((completeness) => completenessValues(completeness, number > 1)),
      );
    case 'hidden':
      return nameOfPart('reasons', reasonsOfBits);
    case 'token':
      return nameOfRef(null, facets.tokens, ({ token }) => [token], tokenLabel);
    case 'counterparty': {
      const labelOf = (party: { address: string; name: string | null }) =>
        nameOf(party.address, names, party.name);
      const column = nameOfRef(counterparty, facets.parties, (party) => [party.address], labelOf);
      return { ...column, isAddress: true };
    }
    case 'method':
      return nameOfRef(method, facets.methods, (name) => [name]);
  }
}
