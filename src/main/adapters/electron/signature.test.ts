import { expect, it } from 'vitest';
import { isSigned } from './signature.ts';

const head =
  'Executable=/Applications/Watchkeeper.app/Contents/MacOS/Watchkeeper\nFormat=app bundle with Mach-O universal\n';

it.each([
  [
    'of a developer',
    `${head}Authority=Developer ID Application: Ann (ABCDE12345)\nTeamIdentifier=ABCDE12345\n`,
    true,
  ],
  [
    'made without a certificate',
    `${head}Signature=adhoc\nTeamIdentifier=not set\nSealed Resources version=2\n`,
    false,
  ],
  ['that is not there', 'Watchkeeper: code object is not signed at all\n', false],
])('a signature %s', (_what, description, signed) => {
  const described: string[] = [];
  const describe = (program: string) => {
    described.push(program);
    return description;
  };
  expect(isSigned('/program', 'darwin', describe)).toBe(signed);
  expect(described).toEqual(['/program']);
});

it('is not looked for on other systems', () => {
  expect(
    isSigned('/program', 'linux', () => {
      throw new Error('It was.');
    }),
  ).toBe(false);
});
