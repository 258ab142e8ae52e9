/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import java.util.ArrayDeque;
import java.util.Deque;

/** The model's completion channel. */
final class ModelChannel extends CompletionChannel {
    final Deque<CompletionQueue> events = new ArrayDeque<>();
    boolean closed;

    ModelChannel(Context context) {
        super(context);
    }
}
