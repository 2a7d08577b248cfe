import { randomUUID } from 'node:crypto';
import log from 'electron-log/node.js';
import { basename, join } from 'node:path';
import type { Clock, Log, LogEntry } from '../../core/ports.ts';

const largestFileBytes = 2 * 1024 * 1024;
const mostRecent = 50;
const mostFrames = 12;

// A terminal that is gone takes no lines; the file has them.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** A log that also keeps the last warnings and errors in memory, oldest first. */
export interface RecentLog extends Log {
  recent(): readonly LogEntry[];
}

/**
 * The log of the app: a file in the profile's `logs` folder; one older file is kept. Uses `electron-log/node`, which
 * has no bridge to the window, as that must not write here.
 */
export function openLog(profileDir: string, clock: Clock): RecentLog {
  const logger = log.create({ logId: 'watchkeeper' });
  // Without a name, electron-log looks for a package.json in parent folders, and without one it writes nothing.
  logger.transports.file.setAppName('Watchkeeper');
  logger.transports.file.resolvePathFn = () => join(profileDir, 'logs', 'main.log');
  logger.transports.file.maxSize = largestFileBytes;
  logger.transports.file.format = '{y}-{m}-{d}T{h}:{i}:{s}.{ms}{z} {level} {text}';
  logger.transports.console.level = 'warn';
  let recent: readonly LogEntry[] = [];
  const keep = (event: string, fields: LogEntry['fields'] = {}, error: LogEntry['error'] = []): void => {
    recent = [...recent.slice(1 - mostRecent), { atMs: clock.nowMs(), event, fields, error }];
  };
  return {
    info: (event, fields) => logger.info(line(event, fields)),
    warn(event, fields) {
      keep(event, fields);
      logger.warn(line(event, fields));
    },
    error(event, cause) {
      const ref = randomUUID().slice(0, 8);
      const where = whereabouts(cause);
      keep(event, { ref }, where);
      logger.error(line(event, { ref }), where.join(' '));
      return ref;
    },
    recent: () => recent,
  };
}

function line(event: string, fields: Readonly<Record<string, unknown>> = {}): string {
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [event, ...rest].join(' ');
}

const frame = /^\s+at (?:(?<where>[\w.$<># [\]]{1,100}) \()?(?<file>[^()]*):(?<line>\d+):(?<column>\d+)\)?$/;

/** The kind of an error and its stack frames, without its message, which may contain anything, and without folders. */
function whereabouts(cause: unknown): string[] {
  if (!(cause instanceof Error)) return [`thrown: ${typeof cause}`];
  // A line of a multi-line message could look like a stack frame.
  const { name, message, stack = '' } = cause;
  const frames = stack
    .replace(message, '')
    .split('\n')
    .flatMap((text) => {
      const { where, file, line: row, column } = frame.exec(text)?.groups ?? {};
      return file === undefined ? [] : [`at ${where ?? 'a module'} (${basename(file)}:${row}:${column})`];
    });
  return [/^\w{1,60}$/.test(name) ? name : 'Error', ...frames.slice(0, mostFrames)];
}
