/**
 * Takes the variable out of the environment with which Node would accept any certificate. Returns what to tell the user;
 * null when it was not set.
 */
export function requireCertificates(environment: NodeJS.ProcessEnv): string | null {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return null;
  delete environment['NODE_TLS_REJECT_UNAUTHORIZED'];
  return 'Watchkeeper was started with NODE_TLS_REJECT_UNAUTHORIZED=0, which lets any server pass as your service or your node. Watchkeeper ignores it and checks certificates as always.';
}
