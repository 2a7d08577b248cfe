import { expect, it } from 'vitest';
import { createSystemRules } from './system-rules.ts';

it('asks a session that uses the rules of the system, and opens it anew after a failure', async () => {
  const modes: (string | undefined)[] = [];
  const rules = createSystemRules({
    fromPartition: () => ({
      setProxy({ mode }) {
        modes.push(mode);
        return modes.length === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve();
      },
      resolveProxy: (origin) => Promise.resolve(`PROXY for-${origin}`),
    }),
  });
  await expect(rules('a')).rejects.toThrow('not yet');
  expect(await Promise.all([rules('b'), rules('c')])).toEqual(['PROXY for-b', 'PROXY for-c']);
  expect(modes).toEqual(['system', 'system']);
});
