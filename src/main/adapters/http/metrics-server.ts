import { createServer, type Server } from 'node:http';
import { AppFailure } from '../../../shared/errors.ts';
import type { Log, MetricsServer } from '../../core/ports.ts';

/** Listens on the loopback interface only, and answers only what was sent to this computer by name: a page on the web cannot read it. */
export function createMetricsServer(log: Log): MetricsServer {
  let server: Server | null = null;
  return {
    async listen(port, answer) {
      const own = createServer({ requestTimeout: 10_000, maxHeaderSize: 8_192 }, (request, response) => {
        const { method = '', url = '', headers } = request;
        const send = (status: number, type: string, body: string): void =>
          void response
            .writeHead(status, { 'content-type': type, 'cache-control': 'no-store', connection: 'close' })
            .end(body);
        if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? ''))
          return send(403, 'text/plain', 'Not for this host.\n');
        answer({
          method,
          path: url.split('?')[0] ?? '',
          authorization: headers.authorization ?? '',
          accept: headers.accept ?? '',
        }).then(
          ({ status, type, body }) => send(status, type, body),
          (cause: unknown) => {
            log.error('metrics.answer', cause);
            send(500, 'text/plain', 'Couldn’t read the metrics.\n');
          },
        );
      });
      await new Promise<void>((resolve, reject) => {
        // Also later ones: without a listener they would end the app.
        own.on('error', (cause) => {
          log.error('metrics.listen', cause);
          reject(
            new AppFailure({
              code: 'invalid-params',
              message: `Port ${port} is in use by another program, or not allowed.`,
              issues: ['port'],
            }),
          );
        });
        own.listen(port, '127.0.0.1', resolve);
      });
      server = own;
    },
    async close() {
      const ending = server;
      server = null;
      if (ending === null) return;
      ending.closeAllConnections();
      await new Promise((resolve) => ending.close(resolve));
    },
  };
}
