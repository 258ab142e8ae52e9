/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.loop;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.WorkCompletion;

/** What programs hold; as {@link LoopQueuePair}. */
final class LoopCompletionQueue extends CompletionQueue {
    final Completions completions;

    LoopCompletionQueue(Context context, int cqe, Object userContext) {
        super(context, cqe, userContext, null);
        completions = new Completions(cqe);
    }

    @Override
    public int poll(int numEntries, WorkCompletion[] wc) {
        return completions.poll(numEntries, wc);
    }

    @Override
    public int reqNotify(boolean solicitedOnly) {
        return completions.reqNotify();
    }
}
