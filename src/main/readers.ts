import { setImmediate } from 'node:timers/promises';
import { decodeAnswer, type DecodedAnswer } from '../shared/endpoints/decode-answer.ts';
import { findEndpoint } from '../shared/endpoints/registry.ts';
import { err, type Result } from '../shared/errors.ts';
import { forecastSample, forecastsOf } from '../shared/health/forecast.ts';
import type { DecodeThread } from './adapters/decode/decode-thread.ts';
import type { DecodeAnswer } from './core/endpoints/service-client.ts';
import type { ReportReader } from './core/health/ask/ask-node.ts';
import { noReport } from './core/health/ask/no-report.ts';
import { readRpcAnswer } from './core/health/ask/node-rpc.ts';
import type { Forecaster } from './core/health/history/history-service.ts';
import { bodyValue, readReport } from './core/health/ask/report.ts';

/** What reads the texts of strangers, here or in the reading thread. */
export const readers = {
  answer: (endpointId: string, text: string): Result<DecodedAnswer> => {
    const endpoint = findEndpoint(endpointId);
    return endpoint === undefined
      ? err({ code: 'bad-response', message: `There is no endpoint ${endpointId}.`, issues: [] })
      : decodeAnswer(endpoint, text);
  },
  report: readReport,
  rpcReport: readRpcAnswer,
  body: bodyValue,
  forecastSample,
  forecasts: forecastsOf,
};

export type ReadingThread = DecodeThread<typeof readers>;

/** Decodes answers of a service. Never rejects. */
export function answersBy(thread: ReadingThread): DecodeAnswer {
  return async ({ id }, text) => {
    // Pages may come one right after the other: whatever else waits has its turn before each.
    await setImmediate();
    return (await thread.call('answer', id, text)) ?? err(unread);
  };
}

/** Reads answers of nodes. Never rejects. */
export function reportsBy(thread: ReadingThread): ReportReader {
  return {
    report: async (...answer) => (await thread.call('report', ...answer)) ?? noReport(unread),
    rpcReport: async (...answer) => (await thread.call('rpcReport', ...answer)) ?? noReport(unread),
    body: (bodyText) => thread.call('body', bodyText),
  };
}

/** Fits of many points: always in the thread. */
export function forecastsBy(thread: ReadingThread): Forecaster {
  return {
    sample: (atMs, reportJson) => thread.inThread('forecastSample', atMs, reportJson),
    forecasts: (samples) => thread.inThread('forecasts', samples),
  };
}

const unread = {
  code: 'bad-response' as const,
  message: 'The answer could not be read: the thread that reads large ones has ended, or has too much to do.',
  issues: [],
};
