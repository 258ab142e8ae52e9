/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.mlx5.layout.DvFlowActionAttrLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * A rule in the kernel's tables, created by {@link FlowMatcher#createRule}; closing it removes the rule. Thread-safe.
 * Source: mlx5dv_create_flow(3).
 */
public final class FlowRule extends SteeringHandle {
    private static final String KIND = "flow rule";
    private static final String CREATE = "mlx5dv_create_flow";
    private static final String CREATE_WIDE = "__mlx5dv_create_flow";
    private static final int NARROW = 16;
    private static final int WIDE = DvFlowActionAttrLayout.SIZEOF;
    private static final int MOST_ACTIONS = 32;

    private FlowRule(VendorContext base, long address, Referents referents) {
        super(base, KIND, address, referents);
    }

    static FlowRule create(FlowMatcher matcher, int maskLength, FlowMatchParameters value, FlowRuleAction... actions) {
        if (value == null || actions == null) {
            throw new VerbsException(
                    Errno.EINVAL, CREATE, (value == null ? "value" : "actions") + " is null; pass a value and actions");
        }
        if (actions.length > MOST_ACTIONS) {
            throw new VerbsException(
                    Errno.EINVAL, CREATE, actions.length + " actions; a rule takes at most " + MOST_ACTIONS);
        }
        boolean wide = Libmlx5.has(CREATE_WIDE);
        if (!wide && actions.length > 1) {
            requireOneSize();
        }
        HandleMaker<FlowRule> maker = new HandleMaker<>(matcher.base(), CREATE, 20, KIND, FlowRule::new);
        long parent = maker.referents.add("matcher", matcher);
        int stride = wide ? WIDE : NARROW;
        int parameters = MatchArea.size(Math.max(maskLength, value.length()));
        return maker.make(parameters + (actions.length + 1) * WIDE, (narrow, c) -> {
            MatchArea.write(c, value, maskLength);
            long list = c + parameters;
            for (int i = 0; i < actions.length; i++) {
                requireKnown(actions, i, wide);
                actions[i].write(list + (long) i * stride, wide, maker.referents);
            }
            return wide
                    ? Libmlx5.function(CREATE_WIDE, 63).call(parent, c, actions.length, list, WIDE)
                    : narrow.call(parent, c, actions.length, list);
        });
    }

    /**
     * Refuses several actions if the library's size of an element is unknown: releases 60.0, 60.1, 61.0 and 62.0 read
     * an array of longer elements through the same function, and export nothing that distinguishes them from 59, which
     * shares their private interface.
     */
    private static void requireOneSize() {
        if (Libibverbs.find("verbs_register_driver_59") == null) {
            return; // an older release
        }
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                CREATE,
                "rdma-core 59 to 62 do not reveal how they read several actions; install 61.1, 62.1, 63 or later, or"
                        + " use a SteeringRule");
    }

    private static void requireKnown(FlowRuleAction[] actions, int i, boolean wide) {
        if (actions[i] == null) {
            throw new VerbsException(Errno.EINVAL, CREATE, "actions[" + i + "] is null");
        }
        if (!wide && actions[i].isWide()) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    CREATE,
                    "a counter with an offset needs " + CREATE_WIDE + ", which came with rdma-core 63 and 61.1");
        }
    }

    @Override
    void destroy() {
        Answers.check(
                "ibv_destroy_flow",
                base().functions()
                        .extended(ExtendedContextLayout.IBV_DESTROY_FLOW)
                        .call(address()));
    }
}
