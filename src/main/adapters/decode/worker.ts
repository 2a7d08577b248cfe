import { parentPort } from 'node:worker_threads';
import { decodeAnswer, type DecodedAnswer } from '../../../shared/endpoints/decode-answer.ts';
import { findEndpoint } from '../../../shared/endpoints/registry.ts';
import { err, type Result } from '../../../shared/errors.ts';
import type { DecodeReply, DecodeRequest } from './protocol.ts';

/** Entry of the decoding thread: large answers are read here, so that the app does not stand still meanwhile. */

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;

// Sent by decode-thread.ts alone, which is compiled from the same protocol.
port.on('message', ({ id, endpointId, text }: DecodeRequest) => {
  const reply: DecodeReply = { id, decoded: decode(endpointId, text) };
  port.postMessage(reply);
});

function decode(endpointId: string, text: string): Result<DecodedAnswer> {
  const endpoint = findEndpoint(endpointId);
  if (endpoint !== undefined) return decodeAnswer(endpoint, text);
  return err({ code: 'bad-response', message: `There is no endpoint ${endpointId}.`, issues: [] });
}
