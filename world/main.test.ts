import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test.for([
  [['ten'], 'whole numbers'],
  [['1', '--without', 'told-twice'], 'told-once'],
  [['--sede', '1'], '--sede'],
  [['--history', 'nowhere.json'], 'There is no file nowhere.json'],
] as const)('what is typed wrongly is said, and what can be: %s', ([args, words]) => {
  const child = spawnSync(
    process.execPath,
    ['--no-warnings', join(import.meta.dirname, 'main.ts'), ...args],
    {
      encoding: 'utf8',
      timeout: 60_000,
    },
  );
  expect(child.status).toBe(2);
  expect(child.stderr).toContain(words);
  expect(child.stderr).toContain('npm run test:world -- COUNT');
});
