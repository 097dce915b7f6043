import type { Controller } from '../../../functions/core/controller.ts';
import type { EventRecorder } from './recorder.ts';

/** Finds each controller's recorder: the VMI and migration controllers share one, every other has its own (runtime.md 10.1). */
export class EventRecorders {
  readonly #make: (component: string) => EventRecorder;
  readonly #byName = new Map<string, EventRecorder>();

  constructor(make: (component: string) => EventRecorder) {
    this.#make = make;
  }

  of({ name, eventRecorder, eventSource }: Controller): EventRecorder {
    const shared = eventRecorder ?? name;
    let recorder = this.#byName.get(shared);
    if (!recorder) this.#byName.set(shared, (recorder = this.#make(eventSource)));
    return recorder;
  }
}
