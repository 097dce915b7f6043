import { Types } from './compile.ts';
import { coreTypes } from './core-types.ts';
import { groupTypes } from './group-types.ts';
import { metadataTypes } from './metadata-types.ts';
import { podTypes } from './pod-types.ts';

/** All types of the built-in kinds, as far as the model knows their fields. */
export const types: Types = new Types(metadataTypes, podTypes, coreTypes, groupTypes);
