import type { AuditGap, AuditReport, ListId } from '../../../shared/activity/types.ts';
import type { StoredRow } from '../../core/activity-ports.ts';
import { commonBlocks, isInside, membershipOf, otherLists, sortGaps, unionOf, type Range } from './audit.ts';
import type { List } from './memory-lists.ts';

/** What `auditLists` says, over lists in memory. */
export function auditMemory(find: (list: ListId) => List | null, limit: number): AuditReport {
  const report: AuditReport = { gaps: [], isCut: false, compared: [], notCompared: [], transactionCount: 0 };
  const transactions = find('transactions');
  const rows = [...(transactions?.rows.values() ?? [])].filter(({ reorg }) => reorg !== 'gone');
  const all = [...(transactions?.rows.values() ?? [])];
  const gaps = new Map<string, AuditGap>();
  const compared: Range[] = [];
  const add = (
    found: { txHash: string; blockNumber: bigint; timestampMs: number | null },
    presentIn: ListId,
    missingIn: ListId,
  ) => {
    const key = `${missingIn} ${found.txHash}`;
    const known = gaps.get(key);
    if (known === undefined) {
      const { txHash, blockNumber, timestampMs } = found;
      gaps.set(key, {
        txHash,
        blockNumber: blockNumber.toString(),
        timestampMs,
        presentIn: [presentIn],
        missingIn,
      });
    } else if (!known.presentIn.includes(presentIn)) known.presentIn.push(presentIn);
  };
  for (const name of otherLists) {
    const list = find(name);
    if (!transactions?.sync.covered.length || !list?.sync.covered.length) {
      report.notCompared.push({ list: name, why: 'never-fetched' });
      continue;
    }
    const common = commonBlocks(transactions.sync.covered, list.sync.covered);
    if (common.length === 0) {
      report.notCompared.push({ list: name, why: 'no-common-blocks' });
      continue;
    }
    report.compared.push(name);
    compared.push(...common);
    for (const record of list.records) {
      if (isInside(common, record.blockNumber) && !transactions.rows.has(record.txHash)) {
        add(record, name, 'transactions');
      }
    }
    const listed = new Set(list.records.map(({ txHash }) => txHash));
    const belongs = belongsIn(list, name);
    for (const { stored } of rows) {
      const isAbsent = !listed.has(stored.txHash) && isInside(common, stored.blockNumber);
      if (isAbsent && belongs(stored)) add(stored, 'transactions', name);
    }
  }
  if (report.compared.length > 0) report.compared.unshift('transactions');
  const found = sortGaps(gaps.values());
  const looked = unionOf(compared);
  return {
    ...report,
    gaps: found.slice(0, limit),
    isCut: found.length > limit,
    transactionCount: all.filter(({ stored }) => isInside(looked, stored.blockNumber)).length,
  };
}

/** Whether a row has to be in the list. */
function belongsIn({ ref, records }: List, name: (typeof otherLists)[number]): (row: StoredRow) => boolean {
  if (name !== 'internal' && name !== 'native') {
    return ({ facets }) => facets.tokens.some(({ token }) => token.includes(` ${name} `));
  }
  const hasEmptyNatives = records.some(({ recordJson }) => isEmpty(JSON.parse(recordJson)));
  const belongs = membershipOf(name, ref.address, hasEmptyNatives);
  return ({ transactionJson, completeness }) => belongs(transactionJson, completeness === 'complete');
}

function isEmpty(element: unknown): boolean {
  return typeof element === 'object' && element !== null && 'value' in element && element.value === '0';
}
