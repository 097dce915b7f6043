/** Where the model answers otherwise than the real server, and why it may. The differential test holds this list to both. */
import type { Difference } from './differential/first-difference.ts';
import type { Sequence, Step } from './differential/steps.ts';
import { objAt } from './json/value.ts';

export interface KnownDifference {
  readonly what: string;
  readonly why: string;
  /** A sequence in which it is seen. */
  readonly shows: Sequence;
  /** Whether it may be what two servers differ in. What comes after it in a sequence is not compared. */
  readonly explains: (difference: Difference) => boolean;
}

const revision = { plural: 'controllerrevisions', name: 'a' };
const lease = { plural: 'leases', name: 'a' };
const configMap = { plural: 'configmaps', name: 'a' };

const create = (aim: { plural: string; name: string }, body: Extract<Step, { step: 'create' }>['body']): Step => ({
  step: 'create',
  aim,
  generate: false,
  metadata: {},
  body,
});

const sendsDeletionTimestamp = (step: Step): boolean =>
  (step.step === 'patch' || step.step === 'put') &&
  step.changes.some((c) => objAt(c, 'metadata')?.deletionTimestamp !== undefined);

export const differences: readonly KnownDifference[] = [
  {
    what: 'A strategic merge patch of a ControllerRevision’s data is refused with 422, not 500.',
    why: 'The real server fails for want of a type; nobody patches data that are immutable.',
    shows: {
      steps: [
        create(revision, { revision: 1, data: { spec: { a: 1 } } }),
        {
          step: 'patch',
          aim: revision,
          part: '',
          type: 'strategic-merge',
          changes: [{ data: { spec: { a: 2 } } }],
          version: 'none',
          uid: 'none',
        },
      ],
      watches: [],
    },
    explains: ({ steps, path }) =>
      path === '.status' &&
      steps.some((s) => s.step === 'patch' && s.aim.plural === 'controllerrevisions' && s.type === 'strategic-merge'),
  },
  {
    what: 'A PUT that creates (leases) drops a deletionTimestamp that is sent.',
    why: 'The real server keeps it, and with it an object that is being deleted by nobody; nobody sends one.',
    shows: {
      steps: [
        {
          step: 'put',
          aim: lease,
          part: '',
          changes: [{ metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } }],
          version: 'none',
          uid: 'none',
        },
      ],
      watches: [],
    },
    explains: ({ steps, path }) =>
      path.endsWith('.metadata.deletionTimestamp') && steps.some((s) => s.step === 'put' && s.aim.plural === 'leases'),
  },
  {
    what: 'A deletionTimestamp sent to an object that is being deleted makes no new version.',
    why: 'The real server notes who sent it, in managedFields, and nothing else; nobody sends one.',
    shows: {
      steps: [
        {
          step: 'create',
          aim: configMap,
          generate: false,
          metadata: { finalizers: ['example.org/f'] },
          body: {},
        },
        { step: 'delete', aim: configMap, options: {}, query: '', version: 'none', uid: 'none' },
        {
          step: 'patch',
          aim: configMap,
          part: '',
          type: 'merge',
          changes: [{ metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } }],
          version: 'none',
          uid: 'none',
        },
      ],
      watches: [],
    },
    explains: ({ steps, path }) => path.endsWith('.metadata.resourceVersion') && steps.some(sendsDeletionTimestamp),
  },
];

/** What is not compared at all. */
export const notCompared: readonly string[] = [
  'managedFields: the model keeps none.',
  'Messages of 400 and 415: they are the words of whoever reads bodies.',
  'Order and repetition of the causes of a 422, and so its message.',
  'Values of uids, versions and times, other than which are the same.',
  'Bookmarks: the model sends them when it is told to.',
];

/** Left out of the model: no part of the product or of a scenario needs it. */
export const leftOut: readonly string[] = [
  'Discovery, server-side apply, dry runs, watch-list, the scale and eviction subresources, tables.',
  'Rules in the expression language (x-kubernetes-validations).',
  'The node life cycle (taints, eviction of pods from silent nodes), collection of pods whose node is gone.',
  'Binding claims to volumes that name no claim; the disruption controller.',
  'LimitRange, PodSecurity, webhooks.',
];
