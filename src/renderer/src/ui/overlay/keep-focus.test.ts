import { afterEach, beforeEach, expect, it } from 'vitest';
import { borrowFocus, keepFocus } from './keep-focus.ts';

let end: () => void;
let page: HTMLElement;

beforeEach(() => {
  page = document.createElement('main');
  page.innerHTML = '<ul><li><button>First</button></li><li><button>Second</button></li></ul><input />';
  document.body.append(page);
  end = keepFocus();
});
afterEach(() => {
  end();
  page.remove();
});

const part = (selector: string) => page.querySelector<HTMLElement>(selector) ?? page;

it('gives the focus to what is left around it when what has it is taken away', async () => {
  part('button').focus();
  part('li').remove();
  await expect.poll(() => document.activeElement?.tagName).toBe('UL');
  // Only for this once: later the list is no stop.
  part('input').focus();
  expect(part('ul').hasAttribute('tabindex')).toBe(false);
  part('button').focus();
  page.replaceChildren();
  await expect.poll(() => document.activeElement).toBe(page);
});

it('leaves the focus where somebody has put it meanwhile', async () => {
  part('button').focus();
  const gone = part('li');
  part('input').focus();
  gone.remove();
  await Promise.resolve();
  expect(document.activeElement).toBe(part('input'));
});

it('is given back to the opener, or around it where the opener has gone', () => {
  part('button').focus();
  const giveBack = borrowFocus();
  part('input').focus();
  giveBack();
  expect(document.activeElement?.textContent).toBe('First');
  const again = borrowFocus();
  part('input').focus();
  part('button').remove();
  again();
  expect(document.activeElement?.tagName).toBe('LI');
});

it('is given to what is around the opener where that cannot take it', () => {
  part('button').focus();
  const giveBack = borrowFocus();
  part('input').focus();
  part('button').setAttribute('disabled', '');
  giveBack();
  expect(document.activeElement?.tagName).toBe('LI');
});

it('is not taken from where a click has moved it', () => {
  part('button').focus();
  const inside = document.createElement('div');
  page.append(inside);
  const giveBack = borrowFocus(inside);
  part('input').focus();
  giveBack();
  expect(document.activeElement).toBe(part('input'));
});
