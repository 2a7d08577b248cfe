import { refuse } from '../../../shared/errors.ts';
import type { ArgsOf } from '../../../shared/ipc/contract.ts';
import type { Log, MetricsAnswer, MetricsRequest, MetricsServer } from '../ports.ts';
import { Turns } from '../../../shared/turns.ts';
import type { KeptSecrets } from '../secrets/kept-secrets.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import { metricsText, type MetricsFacts } from './metrics-text.ts';

export interface MetricsEndpointDeps {
  server: MetricsServer;
  settings: SettingsService;
  kept: KeptSecrets;
  facts: () => Promise<MetricsFacts>;
  log: Log;
}

const account = 'alerts-metrics';
const types = {
  open: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  text: 'text/plain; version=0.0.4; charset=utf-8',
} as const;

/** Figures of nodes for Prometheus, on this computer only; off until the user gives a port. */
export function createMetricsEndpoint({ server, settings, kept, facts, log }: MetricsEndpointDeps) {
  /** A change waits for the one before, which may wait for the keychain. */
  const changes = new Turns();
  let notice: string | null = null;
  const chosen = () => settings.current().alerts.metrics;

  /** Follows the settings. A port that is taken has its notice: the rest of the app goes on. */
  async function start(): Promise<void> {
    const metrics = chosen();
    if (metrics === null) return;
    await server.listen(metrics.port, answer).catch((cause: unknown) => {
      log.error('alerts.metrics', cause);
      notice = `Prometheus can’t read your nodes’ metrics: port ${metrics.port} is in use by another program or isn’t allowed. Choose another port in Settings, Alerts.`;
    });
  }

  async function change({ port, token }: ArgsOf<'alerts.setMetrics'>): Promise<void> {
    if (token !== null && !/^[\x21-\x7e]*$/.test(token))
      refuse('A token can contain only letters, digits and symbols, but no spaces.', 'token');
    const keepsToken = port !== null && token === null && chosen()?.hasToken === true;
    await server.close();
    try {
      if (port !== null) await server.listen(port, answer);
      notice = null;
      const hasToken = keepsToken || (token !== null && token !== '');
      const apply = (): void => {
        const metrics = port === null ? null : { port, hasToken };
        settings.update({ alerts: { ...settings.current().alerts, metrics } });
      };
      if (keepsToken) apply();
      else await kept.writeFor(account, port === null || !hasToken ? null : token, apply, log);
    } catch (cause) {
      await server.close();
      await start();
      throw cause;
    }
  }

  async function answer({ method, path, authorization, accept }: MetricsRequest): Promise<MetricsAnswer> {
    const plain = (status: number, body: string): MetricsAnswer => ({ status, type: 'text/plain', body });
    if (path !== '/metrics') return plain(404, 'Only /metrics is available.\n');
    if (method !== 'GET') return plain(405, 'Only GET is supported.\n');
    const metrics = chosen();
    // It listens already while its token is still being written.
    if (metrics === null) return plain(503, 'Not set up yet.\n');
    if (metrics.hasToken) {
      const { text } = await kept.recall(account, false);
      if (text == null) return plain(503, 'This computer’s keychain has no token.\n');
      if (authorization !== `Bearer ${text}`) return plain(401, 'The token is missing or wrong.\n');
    }
    const format = accept.includes('application/openmetrics-text') ? 'open' : 'text';
    return { status: 200, type: types[format], body: metricsText(await facts(), format) };
  }

  return {
    start,
    stop: () => server.close(),
    /** No port: off, and its token is forgotten. Throws if the port or the keychain cannot be used; then nothing has changed. */
    set: (args: ArgsOf<'alerts.setMetrics'>) => changes.take(() => change(args)),
    /** For the user: why the figures cannot be read although they are on; null otherwise. */
    notice: () => notice,
  };
}
