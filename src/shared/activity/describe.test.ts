import { describe, expect, it } from 'vitest';
import type { AddressTransaction, NativeTransaction, TransactionDetail } from '../endpoints/records.ts';
import { describeRow, type DescribedRow, type RowDescription } from './describe.ts';

const me = '0x52908400098527886E0F7030069857D2E4169EE7';
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const second = '0xde709f2102306220921060314715629080e2fb77';
const contract = '0x27b1fdb04752bbc536007a920d24acb045561c26';
const avax = { symbol: 'AVAX', decimals: 18 };

/** Gas 10 at a price of 100. */
const feeUnits = 1000n;

function native(fields: Partial<NativeTransaction> = {}): NativeTransaction {
  return {
    txHash: '0x1',
    blockNumber: '1',
    blockTimestamp: 1,
    txStatus: '1',
    gasUsed: '10',
    gasPrice: '100',
    value: '0',
    from: { address: me },
    to: { address: other },
    method: { callType: 'NATIVE_TRANSFER', methodName: 'Native Transfer' },
    ...fields,
  };
}

const contractCall = {
  to: { address: contract, name: 'Router' },
  method: { callType: 'CONTRACT_CALL', methodHash: '0x12345678', methodName: 'swap(uint256,address)' },
};

function erc20(from: string, to: string, value: string, token = contract, logIndex = 1) {
  return {
    from: { address: from },
    to: { address: to },
    value,
    logIndex,
    erc20Token: { address: token, symbol: 'TOK', decimals: 6 },
  };
}

function internal(from: string, to: string, value: string, fields: object = {}) {
  return {
    from: { address: from },
    to: { address: to },
    value,
    internalTxType: 'CALL',
    isReverted: false,
    ...fields,
  };
}

function partial(transaction: AddressTransaction): DescribedRow {
  return { address: me, completeness: 'partial', transaction };
}

function complete(transaction: TransactionDetail): DescribedRow {
  return { address: me, completeness: 'complete', transaction };
}

function describePartial(transaction: AddressTransaction, watched = [me]): RowDescription {
  return describeRow(partial(transaction), watched, avax);
}

function effects(description: RowDescription): Record<string, string | null> {
  return Object.fromEntries(description.netEffect.map(({ asset, amount }) => [asset.key, amount]));
}

describe('native transfers', () => {
  it('out: the value and the fee are gone', () => {
    const described = describePartial({ nativeTransaction: native({ value: '5' }) });
    expect(described).toMatchObject({
      kind: 'transfer',
      direction: 'out',
      counterparty: { address: other },
      status: 'success',
      method: null,
      fee: { amount: '1000', isPaidByAddress: true },
      netEffectScope: 'this-address',
    });
    expect(described.legs).toMatchObject([
      { direction: 'out', amount: '5', asset: { kind: 'native', symbol: 'AVAX', decimals: 18 } },
    ]);
    expect(effects(described)).toEqual({ native: '-1005' });
  });

  it('in: the fee is the sender’s', () => {
    const nativeTransaction = native({
      value: '5',
      from: { address: other },
      to: { address: me.toLowerCase() },
    });
    const described = describePartial({ nativeTransaction });
    expect(described).toMatchObject({ direction: 'in', counterparty: { address: other } });
    expect(described.fee).toMatchObject({
      amount: '1000',
      payer: { address: other },
      isPaidByAddress: false,
    });
    expect(effects(described)).toEqual({ native: '5' });
  });

  it('self: only the fee is gone', () => {
    const described = describePartial({ nativeTransaction: native({ value: '5', to: { address: me } }) });
    expect(described).toMatchObject({ direction: 'self', counterparty: { address: me } });
    expect(effects(described)).toEqual({ native: `-${feeUnits}` });
  });

  it('failed: nothing has moved, the fee is paid', () => {
    const described = describePartial({
      nativeTransaction: native({ value: '5', txStatus: '0' }),
      erc20Transfers: [erc20(me, other, '7')],
      internalTransactions: [internal(contract, me, '9')],
    });
    expect(described).toMatchObject({ status: 'failed', direction: 'none', legs: [] });
    expect(described.counterparty).toMatchObject({ address: other });
    expect(effects(described)).toEqual({ native: '-1000' });
  });

  it('of an unknown status: what it moved is uncertain', () => {
    for (const txStatus of [undefined, '2']) {
      const nativeTransaction = native({ value: '5' });
      if (txStatus === undefined) delete nativeTransaction.txStatus;
      else nativeTransaction.txStatus = txStatus;
      const described = describePartial({ nativeTransaction });
      expect(described.status).toBe('unknown');
      expect(described.netEffect).toMatchObject([{ amount: '-1005', isUncertain: true }]);
    }
  });

  it('of an unknown value or fee: the effect is unknown, not zero', () => {
    const nameless = native();
    delete nameless.value;
    expect(effects(describePartial({ nativeTransaction: nameless }))).toEqual({ native: null });
    const free = native({ value: '5' });
    delete free.gasPrice;
    const described = describePartial({ nativeTransaction: free });
    expect(described.fee.amount).toBeNull();
    expect(effects(described)).toEqual({ native: null });
  });

  it('are exact beyond what a double holds', () => {
    const value = '123456789012345678901234567890';
    const described = describePartial({ nativeTransaction: native({ value }) });
    expect(effects(described)).toEqual({ native: `-${BigInt(value) + feeUnits}` });
  });
});

describe('contract calls', () => {
  it('tell the method by name, signature and hash', () => {
    const described = describePartial({ nativeTransaction: native(contractCall) });
    expect(described).toMatchObject({
      kind: 'contract-call',
      direction: 'none',
      counterparty: { address: contract, name: 'Router' },
      method: { name: 'swap', signature: 'swap(uint256,address)', hash: '0x12345678' },
    });
    const hashOnly = native({
      ...contractCall,
      method: { callType: 'CONTRACT_CALL', methodHash: '0x12345678' },
    });
    expect(describePartial({ nativeTransaction: hashOnly }).method).toEqual({
      name: '0x12345678',
      signature: null,
      hash: '0x12345678',
    });
  });

  it('that bring one asset for another are an exchange', () => {
    const described = describePartial({
      nativeTransaction: native({ ...contractCall, value: '50' }),
      erc20Transfers: [erc20(contract, me, '7', other)],
    });
    expect(described).toMatchObject({ kind: 'exchange', direction: 'both' });
    expect(effects(described)).toEqual({ native: '-1050', [`erc20 ${other.toLowerCase()}`]: '7' });
  });

  it('that give back some of the same asset are no exchange', () => {
    const described = describePartial({
      nativeTransaction: native({ ...contractCall, value: '50' }),
      internalTransactions: [internal(contract, me, '20')],
    });
    expect(described.kind).toBe('transfer');
    expect(effects(described)).toEqual({ native: '-1030' });
  });

  it('creations have no receiver', () => {
    const nativeTransaction = native({
      method: { callType: 'CONTRACT_CREATION', methodName: 'Contract Created' },
    });
    delete nativeTransaction.to;
    expect(describePartial({ nativeTransaction })).toMatchObject({
      kind: 'contract-creation',
      counterparty: null,
      method: null,
    });
    delete nativeTransaction.method;
    expect(describePartial({ nativeTransaction }).kind).toBe('contract-creation');
  });
});

describe('internal calls', () => {
  const call = native({ ...contractCall, from: { address: other }, value: '50' });

  it.each([
    ['CALL', 20n],
    ['call', 20n],
    ['CREATE', 20n],
    ['CREATE2', 20n],
    ['CREATE3', 20n],
    ['CALLCODE', 0n],
    ['DELEGATECALL', 0n],
    ['STATICCALL', 0n],
  ])('%s', (internalTxType, moved) => {
    const internalTransactions = [internal(contract, me, '20', { internalTxType })];
    const described = describePartial({ nativeTransaction: call, internalTransactions });
    expect(effects(described)).toEqual(moved === 0n ? {} : { native: moved.toString() });
    expect(described.netEffect.some(({ isUncertain }) => isUncertain)).toBe(false);
  });

  it('of an unknown kind or outcome count, and are marked', () => {
    const unknown = internal(contract, me, '20', { internalTxType: 'UNKNOWN' });
    const { isReverted, ...silent } = internal(contract, me, '20');
    expect(isReverted).toBe(false);
    for (const each of [unknown, silent]) {
      const described = describePartial({ nativeTransaction: call, internalTransactions: [each] });
      expect(described.netEffect).toMatchObject([{ amount: '20', isUncertain: true }]);
    }
  });

  it('that were reverted moved nothing', () => {
    const internalTransactions = [internal(contract, me, '20', { isReverted: true })];
    expect(effects(describePartial({ nativeTransaction: call, internalTransactions }))).toEqual({});
  });

  it('the call of the transaction itself is not counted twice, a further equal one is', () => {
    const top = internal(me, contract, '50');
    const nativeTransaction = native({ ...contractCall, value: '50' });
    const once = describePartial({ nativeTransaction, internalTransactions: [top] });
    expect(effects(once)).toEqual({ native: '-1050' });
    const twice = describePartial({ nativeTransaction, internalTransactions: [top, top] });
    expect(effects(twice)).toEqual({ native: '-1100' });
  });

  it('the creation of the transaction itself is not counted twice', () => {
    const nativeTransaction = native({ value: '50', method: { callType: 'CONTRACT_CREATION' } });
    delete nativeTransaction.to;
    const internalTransactions = [internal(me, contract, '50', { internalTxType: 'CREATE' })];
    expect(effects(describePartial({ nativeTransaction, internalTransactions }))).toEqual({
      native: '-1050',
    });
  });
});

describe('tokens', () => {
  it('ERC-20: amount, decimals and symbol, in log order', () => {
    const described = describePartial({
      nativeTransaction: native(contractCall),
      erc20Transfers: [erc20(me, other, '7', contract, 9), erc20(me, second, '8', contract, 2)],
    });
    expect(described).toMatchObject({ kind: 'token-transfer', direction: 'out' });
    expect(described.legs.map(({ amount, logIndex }) => [amount, logIndex])).toEqual([
      ['8', 2],
      ['7', 9],
    ]);
    expect(described.legs[0]?.asset).toMatchObject({ symbol: 'TOK', decimals: 6, contract });
    // Two receivers: there is no single other side, so it is whom the transaction called.
    expect(described.counterparty).toMatchObject({ address: contract });
    expect(effects(described)).toEqual({ native: '-1000', [`erc20 ${contract}`]: '-15' });
  });

  it('ERC-20 without believable decimals: they are unknown', () => {
    for (const decimals of [undefined, -1, 300]) {
      const transfer = erc20(other, me, '7');
      const token = { address: contract, ...(decimals === undefined ? {} : { decimals }) };
      const described = describePartial({
        nativeTransaction: native({ from: { address: other } }),
        erc20Transfers: [{ ...transfer, erc20Token: token }],
      });
      expect(described.legs[0]?.asset).toMatchObject({ decimals: null, symbol: null });
    }
  });

  it('ERC-20 of nothing from a stranger has no effect', () => {
    const described = describePartial({
      nativeTransaction: native({ ...contractCall, from: { address: other } }),
      erc20Transfers: [erc20(me, second, '0')],
    });
    expect(described).toMatchObject({ kind: 'token-transfer', direction: 'out', netEffect: [] });
  });

  it('ERC-721 is one of its kind, ERC-1155 an amount of it', () => {
    const described = describePartial({
      nativeTransaction: native({ ...contractCall, from: { address: other } }),
      erc721Transfers: [
        {
          from: { address: other },
          to: { address: me },
          logIndex: 1,
          erc721Token: { address: contract, tokenId: '9' },
        },
      ],
      erc1155Transfers: [
        {
          from: { address: me },
          to: { address: other },
          logIndex: 2,
          value: '3',
          erc1155Token: { address: contract, tokenId: '9', metadata: { symbol: 'GEM' } },
        },
      ],
    });
    expect(described).toMatchObject({
      kind: 'exchange',
      direction: 'both',
      counterparty: { address: other },
    });
    expect(effects(described)).toEqual({ [`erc721 ${contract} 9`]: '1', [`erc1155 ${contract} 9`]: '-3' });
    expect(described.legs[1]?.asset).toMatchObject({ symbol: 'GEM', decimals: 0 });
  });
});

describe('several addresses of mine', () => {
  const transaction = {
    nativeTransaction: native(contractCall),
    erc20Transfers: [erc20(me, second, '7'), erc20(other, second, '5', contract, 2)],
  };

  it('a complete row sums over all of them', () => {
    const described = describeRow(complete(transaction), [me, second], avax);
    expect(described.netEffectScope).toBe('my-addresses');
    expect(effects(described)).toEqual({ native: '-1000', [`erc20 ${contract}`]: '5' });
    // Seen from the row's own address the second transfer is somebody else's.
    expect(described.legs.map(({ direction }) => direction)).toEqual(['out', 'none']);
  });

  it('thousands of them cost no time for each of thousands of transfers', () => {
    const address = (n: number) => `0x${n.toString(16).padStart(40, 'A')}`;
    const mine = Array.from({ length: 5_000 }, (_nothing, i) => address(i));
    const erc20Transfers = mine.map((_nothing, i) => erc20(address(10_000 + i), address(20_000 + i), '1'));
    const startedMs = performance.now();
    const described = describeRow(complete({ nativeTransaction: native(), erc20Transfers }), mine, avax);
    expect(performance.now() - startedMs).toBeLessThan(2_500);
    expect(described.netEffect).toMatchObject([{ asset: { kind: 'native' } }]);
  });

  it('a partial row speaks of its own address only', () => {
    const described = describePartial(transaction, [me, second]);
    expect(described.netEffectScope).toBe('this-address');
    expect(effects(described)).toEqual({ native: '-1000', [`erc20 ${contract}`]: '-7' });
  });

  it('a fee that another address of mine paid counts in a complete row', () => {
    const nativeTransaction = native({ ...contractCall, from: { address: second } });
    const described = describeRow(complete({ nativeTransaction }), [me, second], avax);
    expect(described.fee.isPaidByAddress).toBe(false);
    expect(effects(described)).toEqual({ native: '-1000' });
  });

  it('a complete row knows the native token itself', () => {
    const networkTokenDetails = { networkToken: { symbol: 'XYZ', decimals: 9 } };
    const described = describeRow(complete({ nativeTransaction: native(), networkTokenDetails }), [me], avax);
    expect(described.netEffect[0]?.asset).toMatchObject({ symbol: 'XYZ', decimals: 9 });
    const unknown = describeRow(partial({ nativeTransaction: native() }), [me]);
    expect(unknown.netEffect[0]?.asset).toMatchObject({ symbol: null, decimals: null });
  });
});
