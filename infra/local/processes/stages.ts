/**
 * The order in which the stack's processes end: who makes work first, who keeps the data last.
 *
 * The processes of one stage get SIGTERM together; the next stage begins when all of them are gone.
 */
export const stages = ['command', 'relay', 'functions', 'node agent', 'controllers', 'api server', 'etcd'] as const;

export type Stage = (typeof stages)[number];
