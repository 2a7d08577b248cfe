import ArrowUpRight from '@lucide/svelte/icons/arrow-up-right';
import Coins from '@lucide/svelte/icons/coins';
import Search from '@lucide/svelte/icons/search';
import { everything } from '../../../../shared/activity/filter.ts';
import type { ActivityRow } from '../../../../shared/activity/types.ts';
import { ok, type Result } from '../../../../shared/errors.ts';
import type { FilterValue } from '../../../../shared/ipc/answers.ts';
import { call } from '../../bridge.ts';
import { subjectsNamed } from '../../state/lookup-subject.ts';
import { shortHash } from '../../../../shared/text.ts';
import { formatPlural } from '../../ui/text/format.ts';
import type { Command, useCommandContext } from './commands.ts';

/** Stored items whose name matches a text. */
export interface Named {
  rows: readonly ActivityRow[];
  tokens: readonly FilterValue[];
}

const mostTokens = 8;

/** Stored transactions with this hash, or stored tokens whose name holds this text. */
export async function readNamed(text: string): Promise<Result<Named>> {
  const { kinds, value } = subjectsNamed(text);
  if (kinds.includes('transaction')) {
    const filter = { ...everything, text: value, showHidden: true };
    const found = await call('activity.rows', { filter, offset: 0, anchor: null, limit: 50 });
    return found.ok ? ok({ rows: found.value.rows, tokens: [] }) : found;
  }
  if (kinds.length > 0 || text.trim().length < 2) return ok({ rows: [], tokens: [] });
  const found = await call('activity.values', { field: 'token', text: text.trim(), limit: mostTokens });
  return found.ok ? ok({ rows: [], tokens: found.value }) : found;
}

/** Goes to what a typed text names: stored transactions and tokens, and the service for any address, hash or block number. */
export function commandsNamed(
  text: string,
  { rows, tokens }: Named,
  { app, navigation }: ReturnType<typeof useCommandContext>,
): Command[] {
  const { kinds, value } = subjectsNamed(text);
  const stored = rows.map((row) => ({
    id: `row ${row.id}`,
    title: `Open transaction ${shortHash(row.txHash)}`,
    note: `${app.nameOf(row.address, null)?.text ?? shortHash(row.address)}, ${app.chainNames.get(row.chainId) ?? row.chainId}`,
    isPrivate: true,
    icon: ArrowUpRight,
    run: () => {
      navigation.goToActivity({ ...everything, text: row.txHash, showHidden: true });
      navigation.opened = row;
    },
  }));
  const ofTokens = tokens.map((token) => ({
    id: `token ${token.value}`,
    title: token.label,
    note: `token, ${formatPlural(token.count, 'transaction')}`,
    icon: Coins,
    run: () => navigation.goToValue('token', token.value),
  }));
  if (kinds.length === 0) return ofTokens;
  const subject = { kind: 'form', text: value, chainId: null } as const;
  const words = value.startsWith('0x') ? shortHash(value) : value;
  const lookUp = {
    id: 'look up',
    title: `Look up ${kinds.join(' or ')} ${words}`,
    note: 'contacts the service',
    icon: Search,
    run: () => navigation.lookUp(subject),
  };
  return [...stored, lookUp];
}
