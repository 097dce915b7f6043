import { type CloudFunction, SWEEP_EVERY_MINUTES } from '../cloud/functions.ts';
import type { Permission } from '../cloud/permissions.ts';
import { arnOf, functionId, type Resource, TABLE } from './resource.ts';

type Statement = Readonly<Record<string, unknown>>;

/** A role that only this function has. */
export function functionRole(fn: CloudFunction): Resource {
  const log = {
    'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:/aws/lambda/${fn.functionName}:*`,
  };
  return role('lambda.amazonaws.com', {
    log: [allow(['logs:CreateLogStream', 'logs:PutLogEvents'], log)],
    table: fn.permissions.map(tableStatement),
  });
}

/** What the role of a relay needs to call the functions by their addresses. */
export function relayPolicy(name: string, functions: readonly CloudFunction[]): Resource {
  const called = functions.filter((fn) => fn.role !== 'sweep').map((fn) => arnOf(functionId(fn.name)));
  const byAddress = { StringEquals: { 'lambda:FunctionUrlAuthType': 'AWS_IAM' } };
  const viaAddress = { Bool: { 'lambda:InvokedViaFunctionUrl': 'true' } };
  return {
    Type: 'AWS::IAM::ManagedPolicy',
    Properties: {
      ManagedPolicyName: `${name}-relay`,
      Path: '/',
      Description: 'For the role of a relay: calls the functions by their addresses',
      PolicyDocument: policy([
        { ...allow(['lambda:InvokeFunctionUrl'], called), Condition: byAddress },
        { ...allow(['lambda:InvokeFunction'], called), Condition: viaAddress },
      ]),
    },
  };
}

/** The sweep's schedule. The next sweep does what a failed one would have done. */
export function scheduleResources(functions: readonly CloudFunction[]): Record<string, Resource> {
  const sweep = functions.find((fn) => fn.role === 'sweep');
  if (sweep === undefined) return {};
  const Arn = arnOf(functionId(sweep.name));
  const fromHere = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
  return {
    ScheduleRole: role('scheduler.amazonaws.com', { call: [allow(['lambda:InvokeFunction'], Arn)] }, fromHere),
    Schedule: {
      Type: 'AWS::Scheduler::Schedule',
      Properties: {
        Description: 'virt-functions: the sweep',
        ScheduleExpression: `rate(${SWEEP_EVERY_MINUTES} minutes)`,
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: {
          Arn,
          RoleArn: arnOf('ScheduleRole'),
          RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
        },
      },
    },
  };
}

function tableStatement({ actions, index, partitions }: Permission): Statement {
  const table = arnOf(TABLE);
  const resource = index === undefined ? table : { 'Fn::Join': ['', [table, `/index/${index}`]] };
  return {
    ...allow(actions, resource),
    ...(partitions !== undefined && {
      Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } },
    }),
  };
}

function role(service: string, policies: Readonly<Record<string, readonly Statement[]>>, Condition?: object): Resource {
  const assume = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: service } };
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: policy([{ ...assume, ...(Condition !== undefined && { Condition }) }]),
      Policies: Object.entries(policies).map(([PolicyName, statements]) => ({
        PolicyName,
        PolicyDocument: policy(statements),
      })),
    },
  };
}

function policy(Statement: readonly Statement[]): object {
  return { Version: '2012-10-17', Statement };
}

function allow(Action: readonly string[], Resource: unknown): Statement {
  return { Effect: 'Allow', Action, Resource };
}
