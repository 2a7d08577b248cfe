import { expect, it } from 'vitest';
import { defaultSettings, type AlertSettings } from '../../../shared/settings.ts';
import { silentLog } from '../activity/testing/harness.ts';
import { Removals } from '../removals.ts';
import { SettingsService } from '../settings/settings-service.ts';
import { withChoices } from './forget-choices.ts';

const thresholds = { failAfter: 1, recoverAfter: 1, silentSeconds: 30 };
const choicesOf = (id: string): Pick<AlertSettings, 'addresses' | 'ofNodes' | 'planned'> => ({
  addresses: [{ address: id, sinceMs: 0, about: ['sent'] }],
  ofNodes: [{ nodeId: id, ...thresholds }],
  planned: [{ nodeId: id, fromMs: 0, untilMs: 1 }],
});

function build(isBack = false) {
  const [one, other] = [choicesOf('one'), choicesOf('other')];
  const chosen = {
    addresses: [...one.addresses, ...other.addresses],
    ofNodes: [...one.ofNodes, ...other.ofNodes],
    planned: [...one.planned, ...other.planned],
  };
  const alerts = { ...defaultSettings.alerts, ...chosen };
  const written: unknown[] = [];
  const store = {
    read: () => ({ settings: { ...defaultSettings, alerts }, notice: null }),
    write: (settings: unknown) => void written.push(settings),
  };
  const settings = new SettingsService(store, silentLog);
  const removals = new Removals({ random: { fraction: () => 0, id: () => 'undo' }, log: silentLog });
  const deleted: string[] = [];
  const remove = (id: string) => {
    const removal = { putBack: () => undefined, finish: () => deleted.push(id) };
    return removals.offer(withChoices(removal, { id, settings, isBack: () => isBack }));
  };
  return { settings, removals, remove, alerts, written, deleted };
}

it('what was chosen about alerts of what is removed goes with it, and that of others stays', async () => {
  const { settings, removals, remove, alerts, deleted } = build();
  remove('one');
  expect(settings.current().alerts).toEqual(alerts);
  await removals.settle('undo', false);
  expect(settings.current().alerts).toEqual({ ...alerts, ...choicesOf('other') });
  expect(deleted).toEqual(['one']);
});

it.each([
  ['that is undone', 'one', true, false],
  ['of what was added anew since', 'one', false, true],
  ['of what nothing was chosen for', 'two', false, false],
] as const)('a removal %s leaves all choices, and writes no settings', async (_what, id, putBack, isBack) => {
  const { settings, removals, remove, alerts, written } = build(isBack);
  remove(id);
  await removals.settle('undo', putBack);
  expect(settings.current().alerts).toEqual(alerts);
  expect(written).toEqual([]);
});
