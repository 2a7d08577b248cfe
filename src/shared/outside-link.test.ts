import { expect, it } from 'vitest';
import { outsideLink } from './outside-link.ts';

it.each([
  ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
  [' HTTPS://Example.org', 'https://example.org/'],
  ['http://example.org', null],
  ['https://user@example.org', null],
  ['https://:secret@example.org', null],
  ['javascript:alert(1)', null],
  ['example.org', null],
])('%s is opened as %s', (text, href) => {
  expect(outsideLink(text)).toBe(href);
});
