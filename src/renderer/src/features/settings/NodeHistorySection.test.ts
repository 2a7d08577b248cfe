import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { fullWorld } from '../../testing/sample-world.ts';
import NodeHistorySection from './NodeHistorySection.svelte';
import { healthFields, numberProblem, numbersOf } from './number-fields.ts';

describe('NodeHistorySection', () => {
  it('shows the room that each history takes, and all together', async () => {
    await renderInApp(NodeHistorySection, {});
    const table = await screen.findByRole('table', { name: 'Storage used by history' });
    expect(within(table).getByRole('row', { name: /Frankfurt 1/ }).textContent).toContain('12.4 MB');
    expect(within(table).getByRole('row', { name: /Total/ }).textContent).toContain('68.2 MB');
  });

  it('breaks no figure in the middle, however long the name beside it is', async () => {
    await renderInApp(NodeHistorySection, {});
    const table = await screen.findByRole('table', { name: 'Storage used by history' });
    const figures = [...within(table).getAllByText(/MB$/), ...within(table).getAllByText(/^(Polls|Size)$/)];
    expect(figures.filter((figure) => figure.closest('.nowrap') === null)).toEqual([]);
  });

  it('says where a history takes all the room that it may', async () => {
    const world = fullWorld(testNowMs);
    const { settings } = world.snapshot;
    world.snapshot.settings = { ...settings, health: { ...settings.health, keepMegabytesPerNode: 13 } };
    await renderInApp(NodeHistorySection, {}, { world });
    const table = await screen.findByRole('table', { name: 'Storage used by history' });
    expect(within(table).getByRole('row', { name: /Frankfurt 1/ }).textContent).toMatch(
      /Limit reached. The app is deleting the oldest reports/,
    );
  });

  it('keeps what is entered, and nothing that is out of range', async () => {
    const { bridge, user } = await renderInApp(NodeHistorySection, {});
    const days = screen.getByLabelText('Days to keep');
    const save = screen.getByRole('button', { name: 'Save' });
    expect(save.hasAttribute('disabled')).toBe(true);
    await user.clear(days);
    await user.type(days, '0');
    expect(screen.getByText('Enter a whole number from 1 to 3,650.')).toBeTruthy();
    expect(save.hasAttribute('disabled')).toBe(true);
    await user.clear(days);
    await user.type(days, '90');
    await user.click(save);
    await expect
      .poll(() => bridge.argsOf('settings.update'))
      .toEqual([{ health: { keepDays: 90, keepMegabytesPerNode: 150, failAfter: 1, recoverAfter: 1 } }]);
  });
});

describe('a figure of the history', () => {
  it.each([
    ['keepDays', '365', true],
    ['keepDays', '3651', false],
    ['keepDays', '1.5', false],
    ['keepDays', '', false],
    ['keepDays', '-1', false],
    ['keepMegabytesPerNode', '4', false],
    ['keepMegabytesPerNode', ' 5 ', true],
    ['failAfter', '20', true],
    ['recoverAfter', '21', false],
  ] as const)('%s %j', (name, text, isFine) => {
    const wrong = healthFields.filter((field) => field.name === name && numberProblem(field, text) !== null);
    expect(wrong).toHaveLength(isFine ? 0 : 1);
  });

  it('is nothing while another one is wrong', () => {
    const texts = { keepDays: '1', keepMegabytesPerNode: '5', failAfter: '1', recoverAfter: 'x' };
    expect(numbersOf(healthFields, texts)).toBeNull();
  });
});
