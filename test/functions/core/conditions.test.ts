import { describe, expect, it } from 'vitest';
import {
  addCondition,
  conditionOf,
  conditionsEqual,
  hasCondition,
  isConditionStatus,
  newCondition,
  removeCondition,
  updateCondition,
} from '../../../functions/core/conditions.ts';
import type { Condition } from '../../../functions/core/objects.ts';

const ready: Condition = {
  type: 'Ready',
  status: 'True',
  message: 'first',
  lastTransitionTime: '2020-01-01T00:00:00Z',
};
const paused: Condition = { type: 'Paused', status: 'True', reason: 'PausedByUser' };

describe('finding', () => {
  it('gives the first of a type', () => {
    expect(conditionOf([paused, ready, { ...ready, status: 'False' }], 'Ready')).toBe(ready);
    expect(conditionOf(undefined, 'Ready')).toBeUndefined();
    expect(hasCondition([ready], 'Ready')).toBe(true);
    expect(hasCondition([], 'Ready')).toBe(false);
    expect(isConditionStatus([ready], 'Ready')).toBe(true);
    expect(isConditionStatus([ready], 'Ready', 'False')).toBe(false);
    expect(isConditionStatus([], 'Ready', 'False')).toBe(false);
  });
});

describe('updateCondition', () => {
  it('appends a new type, with times that are not set as null', () => {
    expect(updateCondition([ready], paused)).toEqual([
      ready,
      { type: 'Paused', status: 'True', reason: 'PausedByUser', lastProbeTime: null, lastTransitionTime: null },
    ]);
    expect(updateCondition(undefined, ready)).toHaveLength(1);
  });

  it('leaves equal status and reason alone, message and times too', () => {
    const list = [ready];
    const later = { ...ready, reason: '', message: 'second', lastTransitionTime: '2021-01-01T00:00:00Z' };
    expect(updateCondition(list, later)).toBe(list);
  });

  it('replaces in place, as a whole, if status or reason differ', () => {
    const list = [ready, paused];
    const next = updateCondition(list, { type: 'Ready', status: 'False', reason: 'GuestNotRunning' });
    expect(next).toEqual([
      { type: 'Ready', status: 'False', reason: 'GuestNotRunning', lastProbeTime: null, lastTransitionTime: null },
      paused,
    ]);
    expect(list).toEqual([ready, paused]);
  });
});

describe('addCondition', () => {
  it('does not refresh a condition that is there', () => {
    const list = [ready];
    expect(addCondition(list, { type: 'Ready', status: 'False' })).toBe(list);
    expect(addCondition(list, paused).map((c) => c.type)).toEqual(['Ready', 'Paused']);
  });
});

describe('removeCondition', () => {
  it('drops all of a type and keeps the order of the rest', () => {
    const other: Condition = { type: 'Other', status: 'True' };
    expect(removeCondition([paused, ready, paused, other], 'Paused')).toEqual([ready, other]);
  });

  it('makes the list absent with the last one', () => {
    expect(removeCondition([ready], 'Ready')).toBeUndefined();
  });

  it('returns the list itself when there is nothing to drop', () => {
    const list = [ready];
    expect(removeCondition(list, 'Paused')).toBe(list);
  });
});

describe('conditionsEqual', () => {
  it('ignores order, messages and times', () => {
    const other = { ...ready, reason: '', message: 'other', lastTransitionTime: null };
    expect(conditionsEqual([ready, paused], [paused, other])).toBe(true);
    expect(conditionsEqual(undefined, [])).toBe(true);
  });

  it('sees status, reason and number', () => {
    expect(conditionsEqual([ready], [{ ...ready, status: 'False' }])).toBe(false);
    expect(conditionsEqual([ready], [{ ...ready, reason: 'X' }])).toBe(false);
    expect(conditionsEqual([ready], [ready, ready])).toBe(false);
    expect(conditionsEqual([ready], [paused])).toBe(false);
  });
});

describe('newCondition', () => {
  it('drops empty texts', () => {
    const written = newCondition({ type: 'Ready', status: 'True', reason: '', message: '' });
    expect(written).toEqual({ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null });
  });
});
