import type { ListId } from '../../../../shared/activity/types.ts';
import type { HttpClient, HttpOutcome, HttpRequest } from '../../ports.ts';

/** A transaction on the generated chain. It has one element in each list. */
export interface MadeTransaction {
  block: number;
  index: number;
  /** A different number means a different block at the same height. */
  fork?: number;
  /** Number of equal transfers in the lists of transfers; 1 by default. */
  transfers?: number;
}

export type MadeOrder = 'descending' | 'ascending' | 'none';

export interface PagingServiceOptions {
  /** The service may return fewer rows than requested. */
  maxPageSize?: () => number;
  /** Called for each request; an outcome replaces the service's response. */
  fault?: (request: HttpRequest, requestNumber: number) => HttpOutcome | null;
  /** Changes the body before it is sent. */
  mangle?: (body: PageBody, request: HttpRequest) => unknown;
  /** How many blocks have the same time; of these, the lower ones come first. 1 by default. */
  blocksPerSecond?: number;
  /** Order of the lists for which none is promised. */
  order?: MadeOrder;
  /** The answer of endpoint 13. */
  chains?: () => unknown;
}

export interface PageBody {
  nextPageToken?: string;
  transactions: unknown[];
}

/** Serves the history of one address as endpoints 1, 3, 4, 6, 7, 11 and 13 do, without HTTP. */
export interface PagingService {
  client: HttpClient;
  requests: HttpRequest[];
  /** Resolves when this many requests have been sent, so that a walk is under way. */
  sent(count: number): Promise<void>;
  /** In any order; tests may add and remove some between requests. */
  transactions: MadeTransaction[];
  /** Makes all tokens issued so far invalid. */
  expireTokens(): void;
}

export const chainsBody = {
  indexedChains: [
    {
      chainId: '43114',
      platformChainId: 'a-blockchain-id',
      chainName: 'C-Chain',
      status: 'OK',
      networkToken: { symbol: 'AVAX', decimals: 18 },
    },
  ],
  unindexedChains: ['99'],
};

export function createPagingService(options: PagingServiceOptions = {}): PagingService {
  const requests: HttpRequest[] = [];
  const waiting = new Map<() => void, number>();
  const transactions: MadeTransaction[] = [];
  const tokens = new Map<string, string>();
  let issued = 0;

  function page(url: URL, list: ListId): HttpOutcome {
    const query = url.searchParams;
    const token = query.get('pageToken');
    const cursor = token === null ? undefined : tokens.get(token);
    if (token !== null && cursor === undefined) return refuse(400, 'page token is unknown or expired');
    const from = Number(query.get('startBlock') ?? 0);
    const to = Number(query.get('endBlock') ?? Infinity);
    const size = Math.min(Number(query.get('pageSize') ?? 10), options.maxPageSize?.() ?? 100);
    const keyOf = sortKeys[list === 'transactions' ? 'descending' : (options.order ?? 'descending')];
    const found = transactions
      .filter(({ block }) => block >= from && block < to)
      .flatMap((made) => elementsOf(made, list, options.blocksPerSecond))
      .map((element) => ({ ...element, key: keyOf(element) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      // A token means "after this element", so that new ones do not shift the pages.
      .filter(({ key }) => cursor === undefined || key > cursor);
    const shown = found.slice(0, size);
    const last = shown.at(-1);
    const body: PageBody = { transactions: shown.map(({ json }) => json) };
    if (found.length > shown.length && last !== undefined) {
      issued += 1;
      body.nextPageToken = `token-${issued}`;
      tokens.set(body.nextPageToken, last.key);
    }
    return respond(body);
  }

  function answer(url: URL): HttpOutcome {
    const path = url.pathname;
    if (path.endsWith('/chains')) return respond(options.chains?.() ?? chainsBody);
    const list = listOfPath(path);
    if (list !== null) return page(url, list);
    const made = transactions.find((one) => path.endsWith(`/transactions/${hashOf(one)}`));
    return made === undefined ? refuse(404, 'mistyped or missing') : respond(detailOf(made));
  }

  return {
    requests,
    sent: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.set(resolve, count);
      }),
    transactions,
    expireTokens: () => {
      tokens.clear();
    },
    client: {
      send: async (request) => {
        requests.push(request);
        for (const [resolve, count] of waiting) {
          if (requests.length >= count && waiting.delete(resolve)) resolve();
        }
        // Asynchronous, as a network is.
        await Promise.resolve();
        const fault = options.fault?.(request, requests.length);
        if (request.signal?.aborted === true) {
          return { kind: 'failure', reason: 'cancelled', detail: 'cancelled' };
        }
        if (fault !== undefined && fault !== null) return fault;
        const url = new URL(request.url);
        const answered = answer(url);
        const isPage = listOfPath(url.pathname) !== null;
        if (options.mangle === undefined || !isPage || answered.kind === 'failure') return answered;
        if (answered.status !== 200) return answered;
        // The body was created right above.
        return respond(options.mangle(JSON.parse(answered.body) as PageBody, request));
      },
    },
  };
}

export function respond(body: unknown, status = 200, headers: Record<string, string> = {}): HttpOutcome {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'response', status, headers, body: text, byteLength: text.length };
}

export function refuse(status: number, message: string, headers: Record<string, string> = {}): HttpOutcome {
  return respond({ message, statusCode: status, error: 'Error' }, status, headers);
}

export function hashOf({ block, index }: MadeTransaction): string {
  return `0x${block.toString(16).padStart(60, '0')}${index.toString(16).padStart(4, '0')}`;
}

const pathEnds: readonly [end: string, list: ListId][] = [
  ['/transactions', 'transactions'],
  [':listErc20', 'erc20'],
  [':listErc1155', 'erc1155'],
  [':listInternals', 'internal'],
  [':listNative', 'native'],
];

/** Which list of an address a path asks for. */
function listOfPath(path: string): ListId | null {
  return pathEnds.find(([end]) => path.endsWith(end))?.[1] ?? null;
}

interface MadeElement {
  made: MadeTransaction;
  second: number;
  /** Index among the equal elements of the transaction. */
  number: number;
  json: unknown;
}

function elementsOf(made: MadeTransaction, list: ListId, blocksPerSecond = 1): MadeElement[] {
  const second = Math.floor(made.block / blocksPerSecond);
  const count = list === 'transactions' || list === 'native' ? 1 : (made.transfers ?? 1);
  return Array.from({ length: count }, (_nothing, number) => ({
    ...{ made, second, number },
    json: jsonOf(made, list, second),
  }));
}

const sender = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const token = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

function jsonOf(made: MadeTransaction, list: ListId, second: number): unknown {
  const common = {
    blockNumber: String(made.block),
    blockTimestamp: 1_600_000_000 + second,
    blockHash: blockHashOf(made),
    txHash: hashOf(made),
  };
  const sides = { from: { address: sender }, to: { address: sender } };
  switch (list) {
    case 'transactions':
      return { nativeTransaction: { ...common, blockIndex: made.index, value: '1' } };
    case 'native':
      return { ...common, blockIndex: made.index, value: '1' };
    case 'erc20':
      return { ...common, ...sides, value: '5', erc20Token: { address: token } };
    case 'erc1155':
      return { ...common, ...sides, value: '5', erc1155Token: { address: token, tokenId: '7' } };
    case 'internal':
      return { ...common, ...sides, value: '5', internalTxType: 'CALL', isReverted: false };
  }
}

function detailOf(made: MadeTransaction): unknown {
  return {
    nativeTransaction: {
      blockNumber: String(made.block),
      blockTimestamp: 1_600_000_000 + made.block,
      blockHash: blockHashOf(made),
      blockIndex: made.index,
      txHash: hashOf(made),
      value: '1',
      gasUsed: '21000',
    },
  };
}

/** The hash of a transaction’s block. */
export function blockHashOf({ block, fork }: MadeTransaction): string {
  return `0x${(fork ?? 0).toString(16).padStart(4, '0')}${block.toString(16).padStart(60, '0')}`;
}

/** Strings of equal length that sort the elements in the requested order. */
const sortKeys: Record<MadeOrder, (element: MadeElement) => string> = {
  descending: ({ made, second, number }) =>
    [1e12 - second, made.block, 1e6 - made.index, number].map(digits).join(' '),
  ascending: ({ made, number }) => [digits(made.block), digits(made.index), digits(number)].join(' '),
  none: ({ made, number }) =>
    [digits((made.block * 7_919) % 1_009), digits(made.block), digits(made.index), digits(number)].join(' '),
};

function digits(value: number): string {
  return String(value).padStart(13, '0');
}
