import { randomUUID } from 'node:crypto';
import log from 'electron-log/node.js';
import { join } from 'node:path';
import type { Log } from '../../core/ports.ts';

const largestFileBytes = 2 * 1024 * 1024;

/**
 * The log of the app: a file in the profile's `logs` folder, one older file kept. `electron-log/node` is its part that
 * needs no bridge to the window, which must not write here.
 */
export function openLog(profileDir: string): Log {
  const logger = log.create({ logId: 'watchkeeper' });
  // Without a name it looks for a package.json above the current folder, and without one it writes nothing.
  logger.transports.file.setAppName('Watchkeeper');
  logger.transports.file.resolvePathFn = () => join(profileDir, 'logs', 'main.log');
  logger.transports.file.maxSize = largestFileBytes;
  logger.transports.file.format = '{y}-{m}-{d}T{h}:{i}:{s}.{ms}{z} {level} {text}';
  logger.transports.console.level = 'warn';
  return {
    info: (event, fields) => logger.info(line(event, fields)),
    warn: (event, fields) => logger.warn(line(event, fields)),
    error(event, cause) {
      const ref = randomUUID().slice(0, 8);
      logger.error(line(event, { ref }), describe(cause));
      return ref;
    },
  };
}

function line(event: string, fields: Readonly<Record<string, unknown>> = {}): string {
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [event, ...rest].join(' ');
}

/** Where it happened, and what kind of error; `cause` and other properties of errors may hold payloads. */
function describe(cause: unknown): string {
  if (cause instanceof Error) return cause.stack ?? `${cause.name}: ${cause.message}`;
  return `thrown: ${typeof cause}`;
}
