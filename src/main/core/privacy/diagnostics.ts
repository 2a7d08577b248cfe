import type { AppError } from '../../../shared/errors.ts';
import { createRedactor } from '../../../shared/health/redact.ts';
import type { NodeStatus } from '../../../shared/health/types.ts';
import type { AppSnapshot } from '../../../shared/ipc/answers.ts';
import { outboundNames, type HostUse, type OutboundKind } from '../../../shared/outbound.ts';
import type { Settings } from '../../../shared/settings.ts';
import { cleanText } from '../../../shared/text.ts';
import { fileNameOf } from '../file-name.ts';
import type { Clock, FileSaver, LogEntry } from '../ports.ts';

const longestText = 500;

type Told = 'settings' | 'secret' | 'storage' | 'connection' | 'watchlist' | 'nodes' | 'outbound';

export interface DiagnosticFacts extends Pick<AppSnapshot, Told> {
  atMs: number;
  /** Names and values chosen by the app: versions, system. */
  about: Readonly<Record<string, string>>;
  /** Sizes in bytes of what is in the profile folder. */
  sizes: Readonly<Record<string, number>>;
  /** Warnings and errors since the start of the app, oldest first. */
  log: readonly LogEntry[];
}

export interface DiagnosticsDeps {
  facts: () => Promise<DiagnosticFacts>;
  /** Removes known keys and header values from a text. */
  hideSecrets: (text: string) => string;
  files: FileSaver;
  clock: Clock;
}

/** Creates the diagnostics file; saves exactly the text that was last shown. */
export class Diagnostics {
  readonly #deps: DiagnosticsDeps;
  #text: string | null = null;
  /** Where several readings are under way, the last that was asked for is shown. */
  #readCount = 0;

  constructor(deps: DiagnosticsDeps) {
    this.#deps = deps;
  }

  async read(withoutAddresses: boolean): Promise<{ text: string }> {
    const { facts, hideSecrets } = this.#deps;
    this.#readCount += 1;
    const place = this.#readCount;
    const text = diagnosticsText(await facts(), { withoutAddresses, hideSecrets });
    if (place === this.#readCount) this.#text = text;
    return { text };
  }

  /** Asks the user for a path; null when the user cancelled, or no text was shown yet. */
  async save(): Promise<{ path: string } | null> {
    const { files, clock } = this.#deps;
    const text = this.#text;
    if (text === null) return null;
    const path = await files.choose(fileNameOf('watchkeeper diagnostics', clock.nowMs(), 'txt'), 'txt');
    if (path === null) return null;
    await files.write(path, [text]);
    return { path };
  }
}

/**
 * Formats the facts. The app's own texts are used as they are; everything from the user, from others or from an error
 * passes through `theirs`, which hides secrets and, if wanted, addresses, ids, paths and names.
 */
function diagnosticsText(
  facts: DiagnosticFacts,
  { withoutAddresses, hideSecrets }: { withoutAddresses: boolean; hideSecrets: (text: string) => string },
): string {
  const { settings, secret, storage, connection, watchlist, nodes, outbound } = facts;
  const hosts = outbound.uses.flatMap((use) => use.hosts.map(({ origin }) => new URL(origin).hostname));
  const labels = [
    ...nodes.map(({ node }) => node.name),
    ...watchlist.map(({ label }) => label ?? ''),
    // One of a single word is not recognised as a host within a text.
    ...hosts.filter((host) => !host.includes('.')),
  ];
  const redact = withoutAddresses ? createRedactor(labels) : (text: string) => text;
  const theirs = (text: string): string =>
    cleanText(redact(withoutUnknownSecrets(hideSecrets(text))), longestText);
  const wrong = (error: AppError | null): string =>
    error === null ? 'no error' : `${error.code}: ${theirs(error.message)}`;

  const use = ({ origin, count, lastAtMs }: HostUse): string =>
    `  ${theirs(origin)}: ${count} times, last ${timeOf(lastAtMs)}`;
  const off: readonly OutboundKind[] = settings.requestsOff;
  const requests = outbound.uses.flatMap(({ kind, hosts }) => [
    `${outboundNames[kind]}${off.includes(kind) ? ' (switched off)' : ''}:${hosts.length === 0 ? ' none' : ''}`,
    ...hosts.map(use),
  ]);

  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['App', Object.entries(facts.about).map(([name, value]) => `${name}: ${value}`)],
    [
      'Settings',
      Object.entries(settingFacts(settings)).map(([name, value]) => `${name}: ${theirs(String(value))}`),
    ],
    ['API key', [`present: ${secret.present}`, `kept in: ${secret.storage}`, `keychain: ${secret.keychain}`]],
    ['Storage', [`state: ${storage.state}`, ...storage.notices.map((notice) => theirs(notice))]],
    ['Notices', (storage.others ?? []).map((notice) => theirs(notice))],
    ['Sizes in bytes', Object.entries(facts.sizes).map(([name, bytes]) => `${name}: ${bytes}`)],
    [
      'Service',
      [
        `state: ${connection.state}`,
        `last response: ${timeOf(connection.lastAnswerAtMs)}`,
        wrong(connection.error),
      ],
    ],
    [
      `Requests since ${timeOf(outbound.sinceMs)}`,
      [...requests, `Refused, to other hosts: ${outbound.others.length}`, ...outbound.others.map(use)],
    ],
    ['Nodes', nodes.flatMap((status) => nodeFacts(status, theirs, wrong))],
    [
      'Addresses',
      watchlist.flatMap(({ address, label, paused, chains, chainsError }) => [
        `${theirs(address)} ${theirs(label ?? 'without a label')}${paused ? ', paused' : ''}, chains: ${wrong(chainsError)}`,
        ...chains.map(
          ({ chainId, sync }) =>
            `  ${theirs(chainId)}: ${sync.state}, ${sync.rowCount} rows, ${wrong(sync.error)}`,
        ),
      ]),
    ],
    [
      'Warnings and errors since the start',
      facts.log.flatMap(({ atMs, event, fields, error }) => [
        [
          `${timeOf(atMs)} ${event}`,
          ...Object.entries(fields).map(([name, value]) => `${name}=${theirs(String(value))}`),
        ].join(' '),
        ...error.map((line) => `  ${hideSecrets(line)}`),
      ]),
    ],
  ];
  const head = [
    `Watchkeeper diagnostics, ${timeOf(facts.atMs)}`,
    `This file contains no keys, no header values and no responses from services or nodes.${
      withoutAddresses
        ? ' Addresses, ids, paths and names are replaced, each with the same placeholder throughout.'
        : ''
    }`,
  ];
  const body = sections.map(([title, lines]) =>
    [title.toUpperCase(), ...(lines.length === 0 ? ['none'] : lines)].join('\n'),
  );
  return `${[head.join('\n'), ...body].join('\n\n')}\n`;
}

/** Settings by name; for the user's own texts, and what was chosen for single nodes and addresses, only their number. */
function settingFacts(settings: Settings): Record<string, string | number | boolean> {
  const { service, health, savedViews, completing, requestsOff, paneWidths, columnWidths, alerts, ...plain } =
    settings;
  const { addresses, planned, ofNodes } = alerts;
  const chosen = { addresses: addresses.length, planned: planned.length, ofNodes: ofNodes.length };
  const others = {
    savedViews: savedViews.length,
    completing: completing !== null,
    paneWidths: Object.values(paneWidths).join(' '),
    columnWidths: Object.values(columnWidths).join(' '),
    alerts: JSON.stringify({ ...alerts, ...chosen }),
  };
  return { ...service, ...plain, ...health, ...others, requestsOff: requestsOff.join(' ') };
}

function nodeFacts(
  status: NodeStatus,
  theirs: (text: string) => string,
  wrong: (error: AppError | null) => string,
): string[] {
  const { node, state, report, lastPollAtMs, periodMs, keepsConnection, heldBackCount } = status;
  const failing = (report?.checks ?? []).filter((check) => check.state !== 'pass').map(({ name }) => name);
  return [
    `${theirs(node.name)} at ${theirs(node.url)}${node.paused ? ', paused' : ''}`,
    `  ${state}, last polled ${timeOf(lastPollAtMs)}, ${wrong(status.error)}`,
    `  checks not passing: ${theirs(failing.join(', ')) || 'none'}`,
    `  check period: ${periodMs ?? 'unknown'} ms, connection kept: ${keepsConnection ?? 'unknown'}, delayed: ${heldBackCount}, headers: ${node.headerNames.length}, tags: ${node.tags.length}`,
  ];
}

const timeOf = (atMs: number | null): string => (atMs === null ? 'never' : new Date(atMs).toISOString());

/** Patterns of secrets that the app does not know, such as a replaced key. */
const likeSecrets: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/(:\/\/)[^\s/?#"']*@/g, '$1(hidden)@'],
  [/(:\/\/[^\s?#"']*)[?#][^\s"')]+/g, '$1?(hidden)'],
  [/\b(bearer|basic)\s+[^\s"',;)]{4,}/gi, '$1 (hidden)'],
  [
    /((?:api[-_ ]?key|key|token|secret|password|authorization)["']?\s*[:=]\s*["']?)(?!bearer|basic|(?:true|false)[,}])[^\s"',;)]{4,}/gi,
    '$1(hidden)',
  ],
];

const withoutUnknownSecrets = (text: string): string =>
  likeSecrets.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text);
