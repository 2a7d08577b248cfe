import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const script = `import { hasDesktop } from ${JSON.stringify(new URL('desktop.mjs', import.meta.url))};
console.log(hasDesktop());`;

it('the demo leaves out what Xfce shows where a part of it is missing, and says what to install', () => {
  const folder = mkdtempSync(join(tmpdir(), 'watchkeeper-desktop-'));
  const add = (program: string) => writeFileSync(join(folder, program), '');
  const said = () =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { PATH: folder },
      encoding: 'utf8',
    });
  try {
    for (const program of ['xfce4-panel', 'xdotool']) add(program);
    expect(said()).toMatch(/xfce4-panel, xfce4-notifyd and xdotool.*\nfalse\n$/);
    add('xfce4-notifyd-config');
    expect(said()).toBe('true\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
