import { join } from 'node:path';
import { Aws, CfnOutput, Duration, Fn, RemovalPolicy, Tags, Validations } from 'aws-cdk-lib';
import { Alarm, CfnDashboard, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, ManagedPolicy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { DUE_INDEX, DUE_PARTITION, DUE_SORT, PARTITION_KEY, SORT_KEY } from '../../functions/store/table.ts';
import { BUNDLES } from '../build/project.ts';
import { type CloudAlarm, cloudAlarms } from '../cloud/alarms.ts';
import { dashboardBody } from '../cloud/dashboard.ts';
import { type CloudFunction, cloudFunctions, HANDLER, pascal, SWEEP_EVERY_MINUTES } from '../cloud/functions.ts';
import type { Permission } from '../cloud/permissions.ts';
import { type CloudSettings, costTags } from '../cloud/settings.ts';

/** A whole deployment, for a stack of your own: table, functions, schedule, alarms, dashboard. Build the bundles first. */
export class VirtFunctions extends Construct {
  readonly table: Table;
  readonly signingKeys: Secret;
  /** By the function's name. */
  readonly functions: ReadonlyMap<string, lambda.Function>;
  /** What a relay's role needs to call the functions; absent where HMAC alone tells. */
  readonly relayPolicy: ManagedPolicy | undefined;
  readonly #settings: CloudSettings;

  constructor(scope: Construct, id: string, settings: CloudSettings) {
    super(scope, id);
    this.#settings = settings;
    this.table = this.#table();
    this.signingKeys = new Secret(this, 'SigningKeys', {
      description: 'Keys that relays and functions sign with, separated by commas',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this.signingKeys).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SMG4',
      reason: 'Relays in clusters have the same keys: both sides are rotated together, by a person (README).',
    });
    const declared = cloudFunctions(settings);
    this.functions = new Map(declared.map((fn) => [fn.name, this.#function(fn)]));
    this.relayPolicy = this.#addresses(declared);
    this.#schedule(declared);
    for (const alarm of cloudAlarms(declared)) this.#alarm(alarm);
    new CfnDashboard(this, 'Dashboard', {
      dashboardName: settings.name,
      dashboardBody: Fn.sub(dashboardBody(declared), { Table: this.table.tableName }),
    });
    for (const [key, value] of Object.entries(costTags(settings))) Tags.of(this).add(key, value);
  }

  #table(): Table {
    const table = new Table(this, 'Table', {
      partitionKey: { name: PARTITION_KEY, type: AttributeType.STRING },
      sortKey: { name: SORT_KEY, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      encryption: TableEncryption.AWS_MANAGED,
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    table.addGlobalSecondaryIndex({
      indexName: DUE_INDEX,
      partitionKey: { name: DUE_PARTITION, type: AttributeType.STRING },
      sortKey: { name: DUE_SORT, type: AttributeType.NUMBER },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    return table;
  }

  #function(fn: CloudFunction): lambda.Function {
    const id = pascal(fn.name);
    const logGroup = new LogGroup(this, `${id}Log`, {
      logGroupName: `/aws/lambda/${fn.functionName}`,
      retention: this.#settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        log: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [logGroup.logGroupArn],
            }),
          ],
        }),
        table: new PolicyDocument({ statements: fn.permissions.map((p) => this.#statement(p)) }),
      },
    });
    return new lambda.Function(this, id, {
      functionName: fn.functionName,
      description: fn.description,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      handler: HANDLER,
      code: lambda.Code.fromAsset(join(BUNDLES, fn.name)),
      memorySize: fn.memoryMb,
      timeout: Duration.seconds(fn.timeoutSeconds),
      ...(fn.reservedConcurrency !== undefined && { reservedConcurrentExecutions: fn.reservedConcurrency }),
      logGroup,
      role,
      environment: {
        VIRT_FUNCTIONS_TABLE: this.table.tableName,
        // The sweep is called by nobody: it has nothing to verify.
        ...(fn.role !== 'sweep' && {
          VIRT_FUNCTIONS_SIGNING_KEYS: this.signingKeys.secretValue.unsafeUnwrap(),
          VIRT_FUNCTIONS_SIGNING_KEYS_VERSION: this.#settings.signingKeysVersion,
        }),
      },
    });
  }

  #statement({ actions, index, partitions }: Permission): PolicyStatement {
    const { tableArn } = this.table;
    return new PolicyStatement({
      effect: Effect.ALLOW,
      actions: [...actions],
      resources: [index === undefined ? tableArn : `${tableArn}/index/${index}`],
      ...(partitions !== undefined && {
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } },
      }),
    });
  }

  /** An address for each function that is called. */
  #addresses(declared: readonly CloudFunction[]): ManagedPolicy | undefined {
    const isSigned = this.#settings.auth === 'iam';
    const called = declared.filter((fn) => fn.role !== 'sweep');
    for (const { name } of called) {
      const address = this.#named(name).addFunctionUrl({
        authType: isSigned ? lambda.FunctionUrlAuthType.AWS_IAM : lambda.FunctionUrlAuthType.NONE,
      });
      new CfnOutput(this, `Url${pascal(name)}`, { key: `Url${pascal(name)}`, description: name, value: address.url });
    }
    new CfnOutput(this, 'SigningKeysArn', { key: 'SigningKeysArn', value: this.signingKeys.secretArn });
    new CfnOutput(this, 'TableName', { key: 'TableName', value: this.table.tableName });
    if (!isSigned) return undefined;
    const functions = called.map((fn) => this.#named(fn.name).functionArn);
    const policy = new ManagedPolicy(this, 'RelayPolicy', {
      managedPolicyName: `${this.#settings.name}-relay`,
      description: 'For the role of a relay: calls the functions by their addresses',
      statements: [
        new PolicyStatement({
          actions: ['lambda:InvokeFunctionUrl'],
          resources: functions,
          conditions: { StringEquals: { 'lambda:FunctionUrlAuthType': 'AWS_IAM' } },
        }),
        new PolicyStatement({
          actions: ['lambda:InvokeFunction'],
          resources: functions,
          conditions: { Bool: { 'lambda:InvokedViaFunctionUrl': 'true' } },
        }),
      ],
    });
    new CfnOutput(this, 'RelayPolicyArn', { key: 'RelayPolicyArn', value: policy.managedPolicyArn });
    return policy;
  }

  #schedule(declared: readonly CloudFunction[]): void {
    for (const { name } of declared.filter((fn) => fn.role === 'sweep')) {
      const { functionArn } = this.#named(name);
      const role = new Role(this, 'ScheduleRole', {
        assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
          conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
        }),
        inlinePolicies: {
          call: new PolicyDocument({
            statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] })],
          }),
        },
      });
      // Not the library's target for functions, which would allow all versions as well.
      new CfnSchedule(this, 'Schedule', {
        description: 'virt-functions: the sweep',
        scheduleExpression: `rate(${SWEEP_EVERY_MINUTES} minutes)`,
        flexibleTimeWindow: { mode: 'OFF' },
        // The next sweep does what a failed one would have done.
        target: {
          arn: functionArn,
          roleArn: role.roleArn,
          retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 60 },
        },
      });
    }
  }

  #alarm(alarm: CloudAlarm): void {
    const dimensionsMap: Record<string, string> =
      alarm.of === 'table' ? { Table: this.table.tableName } : { FunctionName: alarm.of.functionName };
    const made = new Alarm(this, `${pascal(alarm.name)}Alarm`, {
      alarmName: `${this.#settings.name}-${alarm.name}`,
      alarmDescription: alarm.description,
      metric: new Metric({
        namespace: alarm.namespace,
        metricName: alarm.metric,
        dimensionsMap,
        statistic: alarm.statistic,
        period: Duration.seconds(alarm.periodSeconds),
      }),
      threshold: alarm.threshold,
      evaluationPeriods: alarm.periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: alarm.whenMissing === 'breaching' ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    const { alarmTopicArn } = this.#settings;
    if (alarmTopicArn !== undefined)
      made.addAlarmAction(new SnsAction(Topic.fromTopicArn(this, `${pascal(alarm.name)}Topic`, alarmTopicArn)));
  }

  #named(name: string): lambda.Function {
    const found = this.functions.get(name);
    if (found === undefined) throw new Error(`no function ${name}`);
    return found;
  }
}
