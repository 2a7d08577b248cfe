import { expect, it } from 'vitest';
import { fileNameOf } from './file-name.ts';

it.each([
  ['My node #1', 'my-node-1-2026-01-31.csv'],
  ['../../etc/passwd', 'etc-passwd-2026-01-31.csv'],
  ['CON: a|b?', 'con-a-b-2026-01-31.csv'],
  ['узел', 'file-2026-01-31.csv'],
  ['x'.repeat(300), `${'x'.repeat(60)}-2026-01-31.csv`],
])('names a file for %j', (name, file) => {
  expect(fileNameOf(name, Date.UTC(2026, 0, 31, 23, 59), 'csv')).toBe(file);
});
