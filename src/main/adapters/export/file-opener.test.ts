import { expect, it } from 'vitest';
import { createFileOpener, type OpenDialog } from './file-opener.ts';

it('asks for one file and takes no for an answer', async () => {
  const asked: Parameters<OpenDialog['showOpenDialog']>[0][] = [];
  let answer: { canceled: boolean; filePaths: string[] } = { canceled: true, filePaths: [] };
  const dialog: OpenDialog = {
    showOpenDialog: async (options) => {
      asked.push(options);
      return answer;
    },
  };
  const files = createFileOpener(dialog, () => '/downloads');
  expect(await files.choose('jsonl.gz')).toBeNull();
  expect(asked).toEqual([
    {
      defaultPath: '/downloads',
      filters: [{ name: 'Recording', extensions: ['gz'] }],
      properties: ['openFile'],
    },
  ]);
  answer = { canceled: false, filePaths: ['/x/y.jsonl.gz'] };
  expect(await files.choose('jsonl.gz')).toBe('/x/y.jsonl.gz');
});
