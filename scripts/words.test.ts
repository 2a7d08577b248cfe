import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const script = path.join(import.meta.dirname, 'words.ts');
const printed = (part: string) =>
  execFileSync(process.execPath, ['--no-warnings', script, part], { encoding: 'utf8' });

it('prints a text that stands in an attachment of a template', () => {
  const words = printed('features/shell/TopBar');
  expect(words).toMatch(/Search and commands\n/);
  expect(words).toMatch(/You’re using the sample service on this computer/);
});

it('prints a sentence with what stands between its words', () => {
  const words = printed('activity-export/ExportDialog');
  expect(words).toMatch(/\d {2}Saved \{formatPlural\(count, 'transaction'\)\} to \{path\}\n/);
});

it('prints no names of classes and no words that are only searched', () => {
  const words = printed('features/shell/commands') + printed('timeline/columns');
  expect(words).toMatch(/Watch an address\n/);
  expect(words).not.toMatch(/add address|muted|'time chain/);
});
