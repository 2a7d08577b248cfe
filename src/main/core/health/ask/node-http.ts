import { AppFailure } from '../../../../shared/errors.ts';
import type { NodeConfig } from '../../../../shared/health/types.ts';
import type { HttpClient } from '../../ports.ts';
import { withoutEcho } from '../../secrets/without-echo.ts';

/**
 * Sends requests of others to watched nodes, with the extra headers of the node whose address is asked; any other request
 * goes out as it is. Where the values cannot be read, nothing is sent.
 */
export function createNodeHttp(
  http: HttpClient,
  nodes: () => readonly Pick<NodeConfig, 'id' | 'url' | 'headerNames'>[],
  headersFor: (nodeId: string) => Promise<Readonly<Record<string, string>>>,
): HttpClient {
  return {
    async send(request) {
      const [base] = request.url.split('/ext/health');
      const node = nodes().find(({ url }) => url === base);
      if (node === undefined || node.headerNames.length === 0) return await http.send(request);
      try {
        const headers = await headersFor(node.id);
        return await withoutEcho(http).send({ ...request, headers: { ...headers, ...request.headers } });
      } catch (cause) {
        if (!(cause instanceof AppFailure)) throw cause;
        return { kind: 'failure', reason: 'network', detail: cause.message };
      }
    },
  };
}
