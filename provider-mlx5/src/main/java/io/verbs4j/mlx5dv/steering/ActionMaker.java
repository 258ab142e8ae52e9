/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.provider.mlx5.Mlx5Context;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libmlx5;
import io.verbs4j.rdmacore.call.NativeFunction;
import io.verbs4j.rdmacore.memory.Scratch;

/** Makes one action by a function of libmlx5. */
final class ActionMaker {
    final Mlx5Context base;
    final String verb;
    final Referents referents;
    private final int since;

    /** Calls the function. */
    interface Call {
        long apply(NativeFunction function, long scratch);
    }

    /** Makes the handle. */
    interface Handle<T> {
        T of(Mlx5Context base, long address, Referents referents);
    }

    private ActionMaker(Mlx5Context base, String verb, int since) {
        this.base = base;
        this.verb = verb;
        this.since = since;
        this.referents = new Referents(base, verb);
    }

    /**
     * By a function.
     *
     * @param since the release of rdma-core that it came with
     */
    static ActionMaker of(Mlx5Context base, String verb, int since) {
        return new ActionMaker(base, verb, since);
    }

    SteeringAction make(Call call) {
        return make(1, call);
    }

    /**
     * Makes the action.
     *
     * @param size of the memory for arguments
     */
    SteeringAction make(int size, Call call) {
        return make(size, call, SteeringAction::new);
    }

    <T extends SteeringAction> T make(int size, Call call, Handle<T> handle) {
        return SteeringHandle.make(
                base,
                verb,
                SteeringAction.KIND,
                referents,
                () -> {
                    try (Scratch c = new Scratch(size)) {
                        return Answers.checkPointer(verb, call.apply(Libmlx5.function(verb, since), c.address()));
                    }
                },
                address -> handle.of(base, address, referents));
    }
}
