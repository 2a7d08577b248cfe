import { ServiceError } from './errors.ts';
import {
  blockRange,
  chainOf,
  movePlaces,
  partEntries,
  remaining,
  type Entry,
  type Handler,
  type Lists,
} from './lists.ts';
import type { Cursor } from './paging.ts';
import type { Chain } from './world/chains.ts';
import type { Contract } from './world/contracts.ts';
import { entityChain, entityIndex, entityKind, entityKinds, type Entity } from './world/entities.ts';
import type { TransactionPlan } from './world/plan.ts';
import { mix } from './world/random.ts';
import type { World } from './world/world.ts';

/** Endpoints about contracts: deployment (2), transfers of a token (5), what an account deployed (10). */
export function contractHandlers(world: World, lists: Lists): Readonly<Record<number, Handler>> {
  function contractOf(who: Entity | null): Contract | null {
    if (who === null || entityKind(who) !== entityKinds.contract) return null;
    return world.catalogue[entityChain(who)]?.[entityIndex(who)] ?? null;
  }

  function* deployments(chain: Chain, who: Entity, from: Cursor | null): Generator<Entry<object>, void> {
    const range = remaining({ first: 0, end: world.headCount(chain) }, from, 'desc');
    const plans = world.history.walk(chain, who, range, 'desc');
    const places = (plan: TransactionPlan) =>
      plan.sender === who ? plan.created.map((_, place) => place) : [];
    yield* partEntries(plans, from, places, (plan, place) => record(plan, plan.created[place]));
  }

  /** A deployed contract as endpoint 10 shows it: much about those of the catalogue, little about the rest. */
  function record(plan: TransactionPlan, created: Entity | undefined): object {
    if (created === undefined) throw new RangeError(`transaction ${plan.n} created no such contract`);
    const deploymentDetails = {
      txHash: world.records.txHash(plan.chain, plan.n),
      deployerAddress: world.book.addressOf(plan.sender),
      ...(plan.to === null ? {} : { deployerContractAddress: world.book.addressOf(plan.to) }),
    };
    const address = world.book.addressOf(created);
    const contract = contractOf(created);
    if (contract === null) return { address, deploymentDetails, ercType: 'UNKNOWN' };
    const slug = `${plan.chain.chainId}-${contract.index}`;
    const asset = (kind: string) => ({
      assetId: `${kind}-${slug}`,
      imageUri: `https://assets.sample.example/${kind}/${slug}.png`,
    });
    return {
      ...(contract.name === undefined
        ? {}
        : {
            name: contract.name,
            description: `${contract.name} on ${plan.chain.name}. Made up.`,
            officialSite: `https://${slug}.sample.example`,
            email: `team@${slug}.sample.example`,
            color: `#${(mix(world.seed, contract.entity % 9973, 0xc0) & 0xffffff).toString(16).padStart(6, '0')}`,
            logoAsset: asset('logo'),
            bannerAsset: asset('banner'),
            resourceLinks: [
              { type: 'Blog', url: `https://blog.${slug}.sample.example` },
              { type: 'Github', url: `https://code.${slug}.sample.example` },
              { type: 'Documentation', url: `https://docs.${slug}.sample.example` },
            ],
            tags: [contract.role, 'sample'],
          }),
      address,
      deploymentDetails,
      ercType: contract.ercType,
      ...(contract.ercType === 'UNKNOWN' || contract.symbol === undefined ? {} : { symbol: contract.symbol }),
      ...(contract.decimals === undefined ? {} : { decimals: contract.decimals }),
    };
  }

  return {
    2: (params) => {
      const chain = chainOf(world, params);
      const who = world.book.entityAt(params['address'] ?? '');
      const plan = who === null ? null : world.findDeployment(chain, who);
      if (plan === null) throw new ServiceError(404, 'Contract not found');
      return world.records.detail(plan, params['currency'] ?? 'usd');
    },

    5: (params, endpoint) => {
      const chain = chainOf(world, params);
      const token = contractOf(world.book.entityAt(params['address'] ?? ''));
      if (token === null || token.ercType === 'UNKNOWN' || entityChain(token.entity) !== chain.index) {
        throw new ServiceError(404, 'Token not found');
      }
      const deployed = token.epoch * chain.slotCount;
      return lists.page(params, endpoint, (from) => {
        const { first, end } = remaining(blockRange(world, chain, params), from, 'desc');
        return partEntries(
          world.history.all(chain, { first: Math.max(first, deployed), end }, 'desc'),
          from,
          (plan) => movePlaces(plan, (move) => move.token === token),
          (plan, place) => ({
            ...world.records.block(plan),
            txHash: world.records.txHash(chain, plan.n),
            ...world.records.transfer(plan, place),
          }),
        );
      });
    },

    10: (params, endpoint) => {
      const chain = chainOf(world, params);
      const who = world.book.entityAt(params['address'] ?? '');
      return lists.page(params, endpoint, (from) => (who === null ? [] : deployments(chain, who, from)));
    },
  };
}
