import type { LookupSubject } from '../../state/lookup-subject.ts';
import { groupDigits, shortHash } from '../../ui/text/format.ts';

/** What a lookup is about, as the heading of its drawer says it. */
export function lookupTitle(subject: LookupSubject): string {
  switch (subject.kind) {
    case 'form':
      return 'Look up';
    case 'address':
      return `Address ${shortHash(subject.address)}`;
    case 'block':
      return `Block ${/^\d+$/.test(subject.blockId) ? groupDigits(subject.blockId) : shortHash(subject.blockId)}`;
    case 'transaction':
      return 'Transaction';
    case 'latest':
      return subject.chainId === null ? 'Latest transactions of all chains' : 'Latest transactions';
  }
}
