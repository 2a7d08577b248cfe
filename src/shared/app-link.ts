import * as z from 'zod/mini';
import { checkAddress } from './address.ts';
import { activityFilterSchema, type ActivityFilter } from './activity/filter.ts';

/** The scheme of links that other programs open in the app, such as `watchkeeper://nodes`. */
export const appLinkScheme = 'watchkeeper';

const plainViews = ['overview', 'activity', 'nodes', 'incidents', 'alerts'] as const;

/** The target of a link. Addresses are checksummed, hashes in lower case. */
export type AppLink =
  | { view: (typeof plainViews)[number] }
  | { view: 'filtered'; filter: ActivityFilter }
  | { view: 'address'; address: string }
  | { view: 'transaction'; chainId: string; txHash: string }
  | { view: 'node'; nodeId: string }
  /** An incident, in the list of all or of its node. */
  | { view: 'incident'; nodeId: string; id: string; among: 'all' | 'node' }
  /** A link to an incident whose ids cannot be ones. */
  | { view: 'no-incident' }
  /** A form of Explore, filled in. */
  | { view: 'explore'; form: z.infer<typeof formSchema> };

const formSchema = z.strictObject({
  id: z.string().check(z.regex(/^[\w-]{1,100}$/)),
  values: z.record(z.string().check(z.regex(/^[a-z]\w{0,99}$/i)), z.string().check(z.maxLength(4_000))),
});

/** Matches only characters that a link may have. A query is JSON, which is validated by a schema. */
const shape =
  /^watchkeeper:\/\/(?:(?<plain>overview|activity|nodes|incidents|alerts)|activity\/(?<address>0x[\dA-Fa-f]{40})|transaction\/(?<chainId>[\dA-Za-z]{1,100})\/(?<txHash>0x[\dA-Fa-f]{64})|nodes\/(?<nodeId>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})|incidents\/(?<ofAll>[\w-]{1,100}\/[\w-]{1,100})|nodes\/(?<ofNode>[\w-]{1,100}\/incidents\/[\w-]{1,100})|activity\?filter=(?<filter>[\w.~!*'()%-]{1,8000})|explore\?form=(?<form>[\w.~!*'()%-]{1,8000}))\/?$/;

/** Nothing of such a link is used, so that the window can only say that there is no such incident. */
const incidentShape = /^watchkeeper:\/\/(?:nodes\/[\w-]{1,100}\/)?incidents\/[^/]/;

/** Parses an untrusted link; null if it is invalid. Browsers may have added a slash at its end. */
export function parseAppLink(text: string): AppLink | null {
  const parts = shape.exec(text)?.groups;
  if (parts === undefined) return incidentShape.test(text) ? { view: 'no-incident' } : null;
  const { plain, address, chainId, txHash, nodeId, ofAll, ofNode, filter, form } = parts;
  const [incidentOf, id] = (ofAll ?? ofNode ?? '').split(/\/(?:incidents\/)?/);
  if (incidentOf !== undefined && id !== undefined) {
    return { view: 'incident', nodeId: incidentOf, id, among: ofAll === undefined ? 'node' : 'all' };
  }
  const view = plainViews.find((name) => name === plain);
  if (view !== undefined) return { view };
  if (chainId !== undefined && txHash !== undefined) {
    return { view: 'transaction', chainId, txHash: txHash.toLowerCase() };
  }
  if (nodeId !== undefined) return { view: 'node', nodeId };
  if (filter !== undefined) {
    const read = z.safeParse(activityFilterSchema, decoded(filter));
    return read.success ? { view: 'filtered', filter: read.data } : null;
  }
  if (form !== undefined) {
    const read = z.safeParse(formSchema, decoded(form));
    return read.success ? { view: 'explore', form: read.data } : null;
  }
  const check = checkAddress(address ?? '');
  return check.ok ? { view: 'address', address: check.address } : null;
}

/** Inverse of `parseAppLink`. */
export const writeAppLink = (link: AppLink): string => `${appLinkScheme}://${pathOf(link)}`;

function pathOf(link: AppLink): string {
  switch (link.view) {
    case 'address':
      return `activity/${link.address}`;
    case 'transaction':
      return `transaction/${link.chainId}/${link.txHash}`;
    case 'node':
      return `nodes/${link.nodeId}`;
    case 'incident':
      return link.among === 'all'
        ? `incidents/${link.nodeId}/${link.id}`
        : `nodes/${link.nodeId}/incidents/${link.id}`;
    case 'no-incident':
      return 'incidents';
    case 'filtered':
      return `activity?filter=${encodeURIComponent(JSON.stringify(link.filter))}`;
    case 'explore':
      return `explore?form=${encodeURIComponent(JSON.stringify(link.form))}`;
    default:
      return link.view;
  }
}

/** Decodes URL-encoded JSON; null if it is invalid. */
function decoded(text: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(text));
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof URIError) return null;
    throw cause;
  }
}
