import { spawnSync } from 'node:child_process';

/** Whether macOS knows who has signed this program: it replaces no other. An ad-hoc signature names no team. */
export function isSigned(
  program: string,
  platform = process.platform,
  describe = describeSignature,
): boolean {
  return platform === 'darwin' && /^TeamIdentifier=(?!not set$)\S/m.test(describe(program));
}

function describeSignature(program: string): string {
  const { stderr } = spawnSync('/usr/bin/codesign', ['--display', '--verbose=2', program], {
    encoding: 'utf8',
  });
  return stderr;
}
