import { expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import { parseAppLink } from '../../../../shared/app-link.ts';
import { renderInApp } from '../../testing/render.ts';
import { viewList } from '../../views/view-list.ts';
import { commandsOf } from './commands.ts';
import StorageBanner from './StorageBanner.svelte';

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

async function context() {
  const { app, navigation, messages, bridge } = await renderInApp(StorageBanner, {});
  const around = { views: viewList, app, navigation, messages };
  const copy = () =>
    commandsOf(around)
      .find(({ id }) => id === 'copy link')
      ?.run();
  return { ...around, bridge, copy };
}

it('a link that is copied can be followed, also to a form with a long page token', async () => {
  const { navigation, bridge, copy } = await context();
  const form = { id: 'latest-transactions', values: { pageToken: address.repeat(60) } };
  navigation.goToExplore(form);
  copy();
  const [copied] = bridge.argsOf('app.copyText');
  expect(parseAppLink(copied?.text ?? '')).toEqual({ view: 'explore', form });
});

it('a place that no link can name is said to be one, and nothing is copied', async () => {
  const { navigation, messages, bridge, copy } = await context();
  const values = Array.from({ length: 200 }, (_, index) => `43114 ${address}${index}`);
  navigation.goToActivity({ ...everything, pills: [{ field: 'token', not: false, values }] });
  copy();
  expect(bridge.argsOf('app.copyText')).toEqual([]);
  expect(messages.list).toMatchObject([
    { kind: 'error', error: { message: expect.stringContaining('too long') } },
  ]);
});
