import { expect } from 'playwright/test';

/** Fails, and lists the texts, when one of them occurs twice. */
export function expectAllDifferent(texts: readonly string[]): void {
  expect(new Set(texts).size, texts.join('\n')).toBe(texts.length);
}
