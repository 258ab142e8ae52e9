/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextOps;
import java.util.List;
import java.util.function.Function;

/** The library's part of the verbs about completion queues and completion channels. */
final class CqVerbs {
    private static final String VERB = "create_cq";

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;
    private final ContextVerbs contextVerbs;

    CqVerbs(ObjectState context, ProviderSide side, Handles handles, ContextVerbs contextVerbs) {
        this.context = context;
        this.side = side;
        this.handles = handles;
        this.contextVerbs = contextVerbs;
    }

    CompletionChannel createCompChannel() {
        ObjectState state = new ObjectState(context.owner(), Kind.CHANNEL, List.of(context));
        return handles.create("create_comp_channel", state, ContextOps::createCompChannel, channel -> null);
    }

    void destroyCompChannel(CompletionChannel channel) {
        handles.destroy("destroy_comp_channel", "channel", channel, p -> p.destroyCompChannel(channel));
    }

    CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        return create(cqe, channel, compVector, p -> p.createCq(cqe, userContext, channel, compVector));
    }

    CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector, Object vendor) {
        Arguments.notNull(VERB, "vendor", vendor);
        return create(cqe, channel, compVector, p -> p.createCq(cqe, userContext, channel, compVector, vendor));
    }

    private CompletionQueue create(
            int cqe, CompletionChannel channel, int compVector, Function<ContextOps, CompletionQueue> make) {
        Arguments.atLeast(VERB, "cqe", cqe, 1);
        List<ObjectState> parents =
                channel == null ? List.of(context) : List.of(handles.find(VERB, "channel", channel), context);
        return handles.create(
                VERB,
                new ObjectState(context.owner(), Kind.CQ, parents),
                p -> {
                    Arguments.range(VERB, "compVector", compVector, 0, contextVerbs.completionVectors(VERB, p) - 1L);
                    return make.apply(p);
                },
                cq -> cq.channel() == channel ? null : "completion channel");
    }

    void resizeCq(CompletionQueue cq, int cqe) {
        String verb = "resize_cq";
        ObjectState state = handles.find(verb, "cq", cq);
        Arguments.atLeast(verb, "cqe", cqe, 1);
        state.change(verb, () -> side.run(verb, p -> p.resizeCq(cq, cqe)));
    }

    void destroyCq(CompletionQueue cq) {
        handles.destroy("destroy_cq", "cq", cq, p -> p.destroyCq(cq));
    }
}
