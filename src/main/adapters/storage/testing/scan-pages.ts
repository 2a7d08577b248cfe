import type { ReadRow, ScanPage, ScannedRow } from '../../../core/activity-ports.ts';

/** What an export gets of a row. */
export type Scanned = ScannedRow & { transactionJson: string };

export function scannedOf({ blockNumber, marks, transactionJson, ...row }: ReadRow): Scanned {
  const { chainId, address, txHash, timestampMs, completeness, fetchedAtMs } = row;
  const { spam, integrityNote, reorg, valueThen, valueCurrency } = marks;
  return {
    ...{ chainId, address, txHash, timestampMs, completeness, fetchedAtMs, transactionJson },
    ...{ integrityNote, reorg, valueThen, valueCurrency },
    blockNumber: blockNumber.toString(),
    hiddenReason: spam.hiddenReason,
  };
}

export function pageOfRows(rows: readonly ReadRow[]): ScanPage {
  const scanned = rows.map((row) => scannedOf(row));
  return {
    rowsJson: JSON.stringify(scanned.map(({ transactionJson: _text, ...row }) => row)),
    texts: scanned.map(({ transactionJson }) => transactionJson),
  };
}

export function rowsOfPage({ rowsJson, texts }: ScanPage): Scanned[] {
  // A store has written it.
  const rows = JSON.parse(rowsJson) as ScannedRow[];
  return rows.map((row, place) => ({ ...row, transactionJson: texts[place] ?? '' }));
}
