import { csvLine } from '../../../../shared/csv.ts';
import { visibleJson } from '../../../../shared/text.ts';
import type { ScannedRow } from '../../activity-ports.ts';
import { readTransaction } from '../rows/stored-rows.ts';
import { exportCellsOf, exportColumns, exportObjectOf } from './export-lines.ts';
import { readNames } from './export-names.ts';

export type ActivityExportFormat = 'csv' | 'jsonl' | 'json';

/** What stands around the text of the rows, and between that of two pages. */
export const exportFrame: Readonly<
  Record<ActivityExportFormat, Record<'head' | 'between' | 'foot', string>>
> = {
  csv: { head: csvLine(exportColumns), between: '', foot: '' },
  jsonl: { head: '', between: '', foot: '' },
  json: { head: '[', between: ',', foot: '\n]\n' },
};

/** The text of a `ScanPage` with the names that `exportNames` has written. */
export function exportText(
  rowsJson: string,
  texts: readonly string[],
  format: ActivityExportFormat,
  namesJson: string,
): string {
  const names = readNames(namesJson);
  // The storage thread wrote it.
  const rows = JSON.parse(rowsJson) as ScannedRow[];
  const written = rows.map((row, place) => {
    const text = texts[place] ?? '';
    const read = { row, text, read: readTransaction(row.completeness, text) };
    if (format === 'csv') return exportCellsOf(read, names).map(csvLine).join('');
    const json = visibleJson(JSON.stringify(exportObjectOf(read, names)));
    return format === 'jsonl' ? `${json}\n` : `\n${json}`;
  });
  return written.join(exportFrame[format].between);
}
