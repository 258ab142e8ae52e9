/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.layout.DvDrMatcherLayoutLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libmlx5;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Says which bits of a packet count, for rules of a {@link SteeringTable}. Several threads may make and close rules at
 * once: libmlx5 has locks of its own. Source: mlx5dv_dr_matcher_create, in mlx5dv_dr_flow(3).
 */
public final class SteeringMatcher extends SteeringHandle {
    /** The most actions that a rule has here. */
    public static final int MAX_ACTIONS = 32;

    private static final String KIND = "steering matcher";
    private static final String CREATE = "mlx5dv_dr_matcher_create";
    private static final String DESTROY = "mlx5dv_dr_matcher_destroy";
    private static final String LAYOUT = "mlx5dv_dr_matcher_set_layout";
    private static final String RULE = "mlx5dv_dr_rule_create";
    private static final int VALUES = MAX_ACTIONS * Long.BYTES;

    private final int maskLength;
    private final NativeAreas areas = new NativeAreas(VALUES + MatchArea.size(FlowMatchParameters.MAX_LENGTH));
    private final NativeFunction createRule = Libmlx5.function(RULE, 24);
    final NativeFunction destroyRule = Libmlx5.function(SteeringRule.DESTROY, 24);

    private SteeringMatcher(VendorContext base, long address, Referents referents, int maskLength) {
        super(base, KIND, address, referents);
        this.maskLength = maskLength;
    }

    static SteeringMatcher create(SteeringTable table, int priority, int criteria, FlowMatchParameters mask) {
        if (mask == null) {
            throw new VerbsException(Errno.EINVAL, CREATE, "mask is null; say which bits count");
        }
        Answers.narrow(CREATE, "priority", priority, 0xffff);
        Answers.narrow(CREATE, "criteria", criteria, 0xff);
        int length = mask.length();
        HandleMaker<SteeringMatcher> maker = new HandleMaker<>(
                table.base(),
                CREATE,
                24,
                KIND,
                (base, address, referents) -> new SteeringMatcher(base, address, referents, length));
        long parent = maker.referents.add("table", table);
        return maker.make(MatchArea.size(length), (function, c) -> {
            MatchArea.write(c, mask, 0);
            return function.call(parent, priority, criteria, c);
        });
    }

    /**
     * Sets how it lays out its rules. Rdma-core 37. Source: mlx5dv_dr_matcher_set_layout, in mlx5dv_dr_flow(3).
     *
     * @param flags {@link MatcherLayoutFlags} bits
     * @param logRules with {@link MatcherLayoutFlags#NUM_RULE}, for how many rules: a power of two
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where that does not go
     */
    public void setLayout(int flags, int logRules) {
        run(LAYOUT, () -> {
            try (Scratch c = new Scratch(DvDrMatcherLayoutLayout.SIZEOF)) {
                NativeMemory.putInt(c.address() + DvDrMatcherLayoutLayout.FLAGS, flags);
                NativeMemory.putInt(c.address() + DvDrMatcherLayoutLayout.LOG_NUM_OF_RULES_HINT, logRules);
                Answers.check(LAYOUT, Libmlx5.function(LAYOUT, 37).call(address(), c.address()));
            }
        });
    }

    /**
     * Makes a rule, as fast as libmlx5 does: the values are copied to native memory that later calls use again, and the
     * rule is the one object that is made in Java. Of tables that are no roots, the device meets the rule a little
     * later: see {@link SteeringDomain#sync}. Rdma-core 24. Source: mlx5dv_dr_rule_create, in mlx5dv_dr_flow(3).
     *
     * @param value what the bits of the mask must be; may be changed afterwards
     * @param actions what happens to such packets, in the order of the device; up to {@link #MAX_ACTIONS}
     * @return the rule; to be closed before the matcher and the actions
     * @throws VerbsException {@link Errno#EINVAL} for a value with bits that do not count; {@link Errno#EOPNOTSUPP} for
     *     actions that the table does not have; {@link Errno#EEXIST} for a second rule with the same value where the
     *     domain allows none
     */
    public SteeringRule createRule(FlowMatchParameters value, SteeringAction... actions) {
        if (value == null || actions == null || actions.length > MAX_ACTIONS) {
            throw new VerbsException(
                    Errno.EINVAL, RULE, "a rule has a value and up to " + MAX_ACTIONS + " actions, none of them null");
        }
        object().enter(RULE);
        int entered = 0;
        long area = 0;
        try {
            area = areas.take();
            while (entered < actions.length) {
                SteeringAction action = actions[entered];
                requireSameContext(RULE, "an action", action, base());
                action.object().enter(RULE);
                NativeMemory.putLong(area + (long) entered * Long.BYTES, action.address());
                entered++;
            }
            MatchArea.write(area + VALUES, value, maskLength);
            long rule = createRule.call(address(), area + VALUES, actions.length, area);
            return new SteeringRule(this, Answers.checkPointer(RULE, rule));
        } finally {
            for (int i = 0; i < entered; i++) {
                actions[i].object().leave();
            }
            if (area != 0) {
                areas.give(area);
            }
            object().leave();
        }
    }

    /**
     * Writes the matcher with its rules as text, in libmlx5's own format. Rdma-core 28. Source: mlx5dv_dump(3).
     *
     * @param to where the text goes; stays open
     * @throws IOException where {@code to} does
     */
    public void dump(OutputStream to) throws IOException {
        SteeringDump.of("mlx5dv_dump_dr_matcher", this, to);
    }

    @Override
    void destroy() {
        Answers.check(DESTROY, Libmlx5.function(DESTROY, 24).call(address()));
        areas.close();
    }
}
