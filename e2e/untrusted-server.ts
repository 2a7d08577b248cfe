import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

// Made for this file alone: no authority vouches for it.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQga5xNjDYwzOYpceX7
ii4XcPT5sWyMXmGmb5m2WaXo/UehRANCAAR5Xh5+j4Iy05NihcK4jRlHVdjefaE5
tqjF63lFXRR0Leq4Cse9yAVbTjDsQZNomdSjJKGuOuZAFMwqK4DzNJJ+
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBkTCCATagAwIBAgIUDGO2hIvBtg+60ezvvLu5yMR1PXMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJdW50cnVzdGVkMCAXDTI2MTEyNDA4Mjk0MVoYDzIxMjYxMDMx
MDgyOTQxWjAUMRIwEAYDVQQDDAl1bnRydXN0ZWQwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR5Xh5+j4Iy05NihcK4jRlHVdjefaE5tqjF63lFXRR0Leq4Cse9yAVb
TjDsQZNomdSjJKGuOuZAFMwqK4DzNJJ+o2QwYjAdBgNVHQ4EFgQUzjoWBe4C4Uo6
Z8kcqQ3oBJFGXHwwHwYDVR0jBBgwFoAUzjoWBe4C4Uo6Z8kcqQ3oBJFGXHwwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0kAMEYC
IQD1729RDEcSi55ezNKdJJlXFd7dhdAppgEck8Jg1oYwBwIhAIEvu59NoHNnwf85
IOxtS4bfyVzqCaG3Qqf/UVvAMaAY
-----END CERTIFICATE-----`;

/** A certificate for `127.0.0.1` that vouches for itself. */
export const selfSigned = { key, cert };

/** Anybody who stands between the app and a service: its certificate is worth nothing. */
export class UntrustedServer {
  /** The headers of what it has received. */
  readonly requests: IncomingHttpHeaders[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', ({ headers }, response) => {
      this.requests.push(headers);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }

  static async start(): Promise<UntrustedServer> {
    const server = createServer(selfSigned);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new UntrustedServer(server);
  }

  get origin(): string {
    // It listens on a port.
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
