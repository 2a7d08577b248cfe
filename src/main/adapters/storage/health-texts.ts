import { createHash } from 'node:crypto';
import { integer } from './row.ts';
import type { SqlWriter } from './sql.ts';

/** How far the recorded time of a text's last use may lag: one write a day for a text that every run repeats. */
const useLagMs = 24 * 60 * 60 * 1000;

/** The row of a JSON text, which is stored once however often it is said. `usedAtMs` is the time of what says it. */
export function internText(writer: SqlWriter, contentJson: string, usedAtMs: number): number {
  const hash = hashOf(contentJson);
  const known = writer
    .prepare('SELECT id, used_at_ms FROM health_text WHERE content_hash = ? AND content_json = ?')
    .get(hash, contentJson);
  if (known === undefined) {
    writer
      .prepare('INSERT INTO health_text (content_hash, content_json, used_at_ms) VALUES (?, ?, ?)')
      .run(hash, contentJson, usedAtMs);
    return internText(writer, contentJson, usedAtMs);
  }
  const id = integer(known, 'id');
  if (usedAtMs > integer(known, 'used_at_ms') + useLagMs) {
    writer.prepare('UPDATE health_text SET used_at_ms = ? WHERE id = ?').run(usedAtMs, id);
  }
  return id;
}

/** Forgets texts that nothing from `beforeMs` on can refer to. */
export function pruneTexts(writer: SqlWriter, beforeMs: number): void {
  writer.prepare('DELETE FROM health_text WHERE used_at_ms < ?').run(beforeMs - useLagMs);
}

/** 64 bits of SHA-256: enough to find a text by, and the content itself decides. */
function hashOf(contentJson: string): bigint {
  return createHash('sha256').update(contentJson).digest().readBigInt64BE();
}
