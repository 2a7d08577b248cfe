import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { failureEpisode } from '../../../shared/health/stored.ts';
import { attemptDocument, bookDocument, nodeDocument, runDocument, syncDocument } from './documents.ts';

describe('what is stored as JSON', () => {
  it('is a node of version 0.2.0, whose certificate the authorities vouch for', () => {
    const stored = {
      ...{ id: 'n', name: 'n', url: 'https://n', intervalMs: null, tags: [], headerNames: [], paused: false },
      ...{ addedAtMs: 1, previousNodeId: null, tagChecks: [] },
    };
    expect(z.parse(nodeDocument, stored)).toEqual({ ...stored, certificate: null });
  });

  it.each([
    ['a name without its address', bookDocument, { name: 'A', note: null, changedAtMs: 1 }],
    [
      'a node whose tags are a text',
      nodeDocument,
      { id: 'n', name: 'n', url: 'u', intervalMs: null, tags: 'a' },
    ],
    ['an episode that begins never', failureEpisode, { id: 'e', check: 'C', startedAtMs: 'never' }],
    ['a run of no target', runDocument, { id: 'r', target: { kind: 'other' } }],
    ['an attempt that is a list', attemptDocument, []],
    ['coverage that is null', syncDocument, null],
  ])('is refused where it is something else: %s', (_what, document, value) => {
    expect(() => z.parse<z.ZodMiniType>(document, value)).toThrow();
  });
});
