import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const script = path.join(import.meta.dirname, 'words.ts');

it('prints a text that stands in an attachment of a template', () => {
  const printed = execFileSync(process.execPath, ['--no-warnings', script, 'features/shell/TopBar'], {
    encoding: 'utf8',
  });
  expect(printed).toMatch(/Search and commands\n/);
  expect(printed).toMatch(/This is the sample service on this computer/);
});
