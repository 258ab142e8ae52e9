/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.CompletionChannel;
import io.verbs4j.Context;

/** The model's completion channel. */
final class ModelChannel extends CompletionChannel {
    final ModelEvents state = new ModelEvents();

    ModelChannel(Context context) {
        super(context);
    }

    @Override
    protected int wakeWaiter() {
        return state.wake();
    }

    @Override
    protected int runOnEvent(Runnable action) {
        return state.onEvent(action);
    }
}
