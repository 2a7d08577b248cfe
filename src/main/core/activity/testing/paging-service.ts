import type { HttpClient, HttpOutcome, HttpRequest } from '../../ports.ts';

/** One transaction of the made-up chain. */
export interface MadeTransaction {
  block: number;
  index: number;
}

export interface PagingServiceOptions {
  /** The service may give fewer rows than were asked for. */
  maxPageSize?: () => number;
  /** Asked with each request; an outcome stands in for the answer of the service. */
  fault?: (request: HttpRequest, requestNumber: number) => HttpOutcome | null;
  /** Changes the body before it is sent. */
  mangle?: (body: PageBody, request: HttpRequest) => unknown;
}

export interface PageBody {
  nextPageToken?: string;
  transactions: unknown[];
}

/** Serves the history of one address as endpoints 1 and 13 do, without HTTP. */
export interface PagingService {
  client: HttpClient;
  requests: HttpRequest[];
  /** In any order; more may be added between requests. */
  transactions: MadeTransaction[];
  /** From now on no token that was given out is known any more. */
  expireTokens(): void;
}

export const chainsBody = {
  indexedChains: [
    { chainId: '43114', chainName: 'C-Chain', status: 'OK', networkToken: { symbol: 'AVAX', decimals: 18 } },
  ],
  unindexedChains: ['99'],
};

export function createPagingService(options: PagingServiceOptions = {}): PagingService {
  const requests: HttpRequest[] = [];
  const transactions: MadeTransaction[] = [];
  const tokens = new Map<string, string>();
  let issued = 0;

  function page(url: URL): HttpOutcome {
    const query = url.searchParams;
    const token = query.get('pageToken');
    const cursor = token === null ? undefined : tokens.get(token);
    if (token !== null && cursor === undefined) return refuse(400, 'page token is unknown or expired');
    const from = Number(query.get('startBlock') ?? 0);
    const to = Number(query.get('endBlock') ?? Infinity);
    const size = Math.min(Number(query.get('pageSize') ?? 10), options.maxPageSize?.() ?? 100);
    const found = transactions
      .filter(({ block }) => block >= from && block < to)
      .sort((a, b) => b.block - a.block || b.index - a.index)
      // A token means "after this transaction", so that new ones do not shift the pages.
      .filter((made) => cursor === undefined || sortKey(made) < cursor);
    const shown = found.slice(0, size);
    const last = shown.at(-1);
    const body: PageBody = { transactions: shown.map(listElement) };
    if (found.length > shown.length && last !== undefined) {
      issued += 1;
      body.nextPageToken = `token-${issued}`;
      tokens.set(body.nextPageToken, sortKey(last));
    }
    return { kind: 'response', status: 200, headers: {}, body: JSON.stringify(body), byteLength: 0 };
  }

  return {
    requests,
    transactions,
    expireTokens: () => {
      tokens.clear();
    },
    client: {
      send: async (request) => {
        requests.push(request);
        // A turn of the loop of its own, as a network has.
        await Promise.resolve();
        const fault = options.fault?.(request, requests.length);
        if (request.signal?.aborted === true) {
          return { kind: 'failure', reason: 'cancelled', detail: 'cancelled' };
        }
        if (fault !== undefined && fault !== null) return fault;
        const url = new URL(request.url);
        if (url.pathname.endsWith('/chains')) return respond(chainsBody);
        const answer = page(url);
        if (options.mangle === undefined || answer.kind === 'failure' || answer.status !== 200) return answer;
        // The body was written right above.
        return respond(options.mangle(JSON.parse(answer.body) as PageBody, request));
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

function listElement(made: MadeTransaction): unknown {
  return {
    nativeTransaction: {
      blockNumber: String(made.block),
      blockTimestamp: 1_600_000_000 + made.block,
      blockIndex: made.index,
      txHash: hashOf(made),
      value: '1',
    },
  };
}

/** Texts of one length compare as the transactions do. */
function sortKey({ block, index }: MadeTransaction): string {
  return `${String(block).padStart(12, '0')} ${String(index).padStart(6, '0')}`;
}
