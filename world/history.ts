import type { ListId } from '../src/shared/activity/types.ts';
import type { ArgsOf } from '../src/shared/ipc/contract.ts';

// A history is all that a world needs to run: what there is at the beginning, and what happens when. It is JSON, so a
// shortened one can be kept in a file and means the same when what makes histories from seeds has changed.

/** How a host meets connections and requests. */
export type Door =
  | { kind: 'plain' }
  /** `accept-close`: closes each connection. `close-after-request`: closes it once it has read the request. */
  | { kind: 'refuse' | 'accept-close' | 'close-after-request' | 'reset' | 'silent' | 'banner' | 'garbage' }
  | { kind: 'tls' | 'dns' | 'captive' | 'half-body' }
  | { kind: 'slow'; ms: number }
  /** A proxy that ends idle connections after these times, in turn. */
  | { kind: 'idle-end'; afterMs: number[] }
  | { kind: 'status'; status: number; headers: Record<string, string> }
  /** GET is answered with 405, JSON-RPC as ever. */
  | { kind: 'no-get' }
  /** Two nodes behind one address answer in turn. */
  | { kind: 'two-backends' };

/** What is odd about the next pages of a service. */
export type Oddity =
  | 'token-number'
  | 'token-object'
  | 'array-twice'
  | 'no-array'
  | 'chains-object'
  | 'odd-chain'
  | 'odd-row'
  | 'blank-side'
  | 'duplicate-row'
  | 'shuffled';

/** What the user does; `which` counts addresses or nodes that there are in the history, watched or not. */
export type Deed =
  | { does: 'add-node' | 'poll-now' | 'pause-node' | 'resume-node'; which: number }
  /** Undo after this time, if the message is still there; null lets it go. */
  | { does: 'remove-node'; which: number; undoAfterMs: number | null }
  | { does: 'add-address' | 'complete-all' | 'stop' | 'fetch-chains'; which: number }
  | { does: 'pause-address' | 'resume-address'; which: number }
  | { does: 'fetch'; which: number; what: 'newer' | 'older' | 'all' }
  | { does: 'remove-address'; which: number; keep: boolean; undoAfterMs: number | null }
  /** On each of its chains; `list` and `share` say which blocks are distrusted, from here to the newest. */
  | { does: 'audit'; which: number }
  | { does: 'distrust'; which: number; list: ListId; share: number }
  | { does: 'use-service'; which: number }
  | { does: 'set-interval'; which: number; intervalMs: number | null }
  /** To the address of another node that is not watched. */
  | { does: 'move-node'; which: number; to: number }
  /** With all open alerts. */
  | { does: 'act'; action: ArgsOf<'alerts.act'>['action'] }
  | { does: 'pause-alerts'; forMs: number }
  /** Work at a node begins. */
  | { does: 'plan'; which: number; forMs: number }
  /** In Explore, the transactions of an address; a list of an address, looked up. */
  | { does: 'ask'; which: number; pages: 'one' | 'all' }
  | { does: 'look-up'; which: number }
  /** Hidden, the window hears nothing until it is shown; closed, it begins anew. */
  | { does: 'set-window'; to: 'shown' | 'hidden' | 'closed' }
  | { does: 'look' };

export type Happening = { atMs: number } & (
  | { it: 'door'; host: string; door: Door }
  | { it: 'check'; node: number; check: number; fails: boolean }
  | { it: 'node'; node: number; becomes: 'dead' | 'alive' | 'hung' | 'stalled' }
  /** From now on the node has this many checks. */
  | { it: 'checks'; node: number; count: number }
  /** The computer's own network; `isTold`: the system knows. Otherwise requests fail after a while, or `hang`. */
  | { it: 'network'; isUp: boolean; isTold: boolean; hangs?: boolean }
  /** `inNewestBlock`: the first one comes late, in the block of the newest one before. */
  | { it: 'grow'; service: number; transactions: number; inNewestBlock?: boolean }
  | { it: 'reorganise'; service: number; blocks: number }
  /** The newest transaction of each address is gone, and nothing else has changed. */
  | { it: 'take-back'; service: number }
  /** A list is this many blocks behind. */
  | { it: 'lag'; service: number; list: ListId; blocks: number }
  | { it: 'expire-tokens'; service: number }
  | { it: 'odd'; service: number; how: Oddity; pages: number }
  /** The details of the newest or oldest transactions are answered with this status; from 500 on it passes at last. */
  | { it: 'poison'; service: number; transactions: number; status: number; areOldest?: boolean }
  | { it: 'clock'; stepMs: number }
  /** `endIsUntold`: the system says that it will sleep, and not that it is awake again. */
  | { it: 'sleep'; forMs: number; isTold: boolean; endIsUntold?: boolean }
  | { it: 'disk'; isFull: boolean }
  /** What shows messages takes none. */
  | { it: 'channel'; isDown: boolean }
  /** The store of a service cannot be opened, when the user goes over to it. */
  | { it: 'unopenable'; service: number; isSo: boolean }
  /** Each call of the store takes so long: of the nodes', or of the services'. */
  | { it: 'store'; which: 'nodes' | 'services'; takesMs: number }
  | { it: 'crash'; afterWrites: number }
  /** The user quits; the app is started again later, with the clock set by so much. */
  | { it: 'restart'; offMs: number; clockMs: number }
  | { it: 'user'; deed: Deed }
);

export interface NodePlan {
  /** On this computer or another one. */
  isLocal: boolean;
  periodMs: number;
  checks: number;
  /** How far the node's clock is ahead of the true time. */
  clockMs: number;
  /** Null: automatic. */
  intervalMs: number | null;
  /** Runs of its checks end up to so much late. */
  lateMs: number;
}

export interface ServicePlan {
  chains: number;
  /** Transactions of each address on each chain at the beginning. */
  transactions: number;
  /** Blocks over which they are spread, or in the newest hundredth of which they lie. */
  blocks: number;
  areRecent?: boolean;
  /** The rate limit, in calls a minute; null for none. */
  callsPerMinute: number | null;
  tellsLimits: boolean;
  /** The service may give fewer rows than asked for. */
  pageRows: number;
  otherOrder: 'descending' | 'ascending' | 'none';
  /** A transaction's detail spells hashes in capital letters and without `0x`, the lists in small ones with it. */
  spellsDetailsInCapitals: boolean;
}

export interface History {
  /** Decides what nobody chose: ids, delays, hashes. */
  seed: string;
  durationMs: number;
  clock: { offMs: number; standsStillAsleep: boolean; drift: number };
  latencyMs: number;
  nodes: NodePlan[];
  services: ServicePlan[];
  addresses: number;
  settings: { keepDays: number; failAfter: number; recoverAfter: number; checkMinutes: 0 | 1 | 5 | 15 | 60 };
  happenings: Happening[];
}
