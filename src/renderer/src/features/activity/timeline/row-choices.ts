import type { RowDescription } from '../../../../../shared/activity/describe.ts';
import type { Asset } from '../../../../../shared/activity/legs.ts';
import type { ActivityRow } from '../../../../../shared/activity/types.ts';
import { ok, type Result } from '../../../../../shared/errors.ts';
import type { ArgsOf } from '../../../../../shared/ipc/contract.ts';
import { shortHash } from '../../../../../shared/text.ts';
import { call } from '../../../bridge.ts';
import { assetWords } from '../words/row-words.ts';

/** A token that moved in a row, in the key that filters and verdicts use. */
export interface RowToken {
  token: string;
  name: string;
}

/**
 * Tokens that moved for the row's address, each once; without the native token, which cannot be hidden. Those of one name, of
 * which one may imitate the other, are told apart by their contracts.
 */
export function tokensOfRow(row: ActivityRow, { legs }: RowDescription): RowToken[] {
  const assets = new Map<string, Asset>();
  for (const { asset, direction } of legs) {
    if (direction !== 'none' && asset.kind !== 'native') assets.set(`${row.chainId} ${asset.key}`, asset);
  }
  const nameOf = (asset: Asset) => assetWords(asset) ?? 'this token';
  const byName = Map.groupBy(assets.values(), nameOf);
  return [...assets].map(([token, asset]) => {
    const name = nameOf(asset);
    const isOnlyOne = byName.get(name)?.length === 1;
    return { token, name: isOnlyOne ? name : `${name} (${shortHash(asset.contract ?? '')})` };
  });
}

/** Choices that the user has for a row or its tokens. */
export interface Verdict {
  kind: 'row' | 'token';
  /** What it is about: `this row`, or the tokens. */
  name: string;
  /** Null undoes the earlier decision. */
  decision: 'show' | 'hide' | null;
  /** The decision that it replaces. */
  before: 'show' | 'hide' | null;
  targets: Decided['target'][];
}

/**
 * The decisions possible for a row and its first tokens. What the user has decided can only be undone, and for all tokens
 * at once: of several it is not known which of them that was about.
 */
export function verdictsOn(row: ActivityRow, description: RowDescription): Verdict[] {
  const { hiddenReason, decision, decidedFor } = row.marks.spam;
  const tokens = tokensOfRow(row, description).map(({ token, name }) => ({
    kind: 'token' as const,
    name: `token ${name}`,
    targets: [{ kind: 'token' as const, token }],
  }));
  const all = {
    kind: 'token' as const,
    name: `token ${tokensOfRow(row, description)
      .map(({ name }) => name)
      .join(' or ')}`,
    targets: tokens.flatMap(({ targets }) => targets),
  };
  const about = [
    { kind: 'row' as const, name: 'this row', targets: [{ kind: 'row' as const, rowId: row.id }] },
    ...(decision !== null && decidedFor === 'token' ? [all] : tokens.slice(0, 4)),
  ];
  return about.map((one) =>
    decision !== null && decidedFor === one.kind
      ? { ...one, decision: null, before: decision }
      : { ...one, decision: hiddenReason === null ? 'hide' : 'show', before: null },
  );
}

type Decided = ArgsOf<'activity.judge'>;

/** Stores decisions, and returns those before them. */
export async function decide(wanted: readonly Decided[]): Promise<Result<Decided[]>> {
  const earlier: Decided[] = [];
  for (const { target, decision } of wanted) {
    const result = await call('activity.judge', { target, decision });
    if (!result.ok) return result;
    earlier.push({ target, decision: result.value });
  }
  return ok(earlier);
}

/** What a decision does; hiding is undone by its name, and what was shown is left to the rules again. */
export function verdictWords({ name, decision, before }: Verdict): string {
  if (decision === null) return `${before === 'show' ? 'Use spam rules for' : 'Undo hiding'} ${name}`;
  return `${decision === 'show' ? 'Show' : 'Hide'} ${name}`;
}
