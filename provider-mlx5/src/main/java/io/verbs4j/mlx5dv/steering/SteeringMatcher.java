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
import io.verbs4j.rdmacore.quirk.Libmlx5;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Selects the bits of a packet to compare, for rules of a {@link SteeringTable}. Thread-safe: several threads can
 * create and close rules at once, since libmlx5 has its own locks. Source: mlx5dv_dr_matcher_create, in
 * mlx5dv_dr_flow(3).
 */
public final class SteeringMatcher extends SteeringHandle {
    /** The maximum number of actions of a rule. */
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
            throw new VerbsException(Errno.EINVAL, CREATE, "mask is null; pass the bits to match");
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
     * Sets the layout of the rules. Since rdma-core 37. Source: mlx5dv_dr_matcher_set_layout, in mlx5dv_dr_flow(3).
     *
     * @param flags {@link MatcherLayoutFlags} bits
     * @param logRules with {@link MatcherLayoutFlags#NUM_RULE}, the binary logarithm of the expected number of rules
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the layout is not possible
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
     * Creates a rule. Except in the root table, the rule takes effect a little later: see {@link SteeringDomain#sync}.
     * Since rdma-core 24. Source: mlx5dv_dr_rule_create, in mlx5dv_dr_flow(3).
     *
     * <p>This is as fast as libmlx5: the values are copied to native memory that later calls reuse, and the rule is the
     * only Java object allocated.
     *
     * @param value the value that the bits of the mask must have; may be changed afterwards
     * @param actions the actions on such packets, in the device's order; up to {@link #MAX_ACTIONS}
     * @return the rule, to be closed before the matcher and the actions
     * @throws VerbsException {@link Errno#EINVAL} for a value with bits outside the mask; {@link Errno#EOPNOTSUPP} for
     *     actions that the table does not support; {@link Errno#EEXIST} for a second rule with the same value if the
     *     domain does not allow duplicates
     */
    public SteeringRule createRule(FlowMatchParameters value, SteeringAction... actions) {
        if (value == null || actions == null || actions.length > MAX_ACTIONS) {
            throw new VerbsException(
                    Errno.EINVAL,
                    RULE,
                    "a rule needs a value and at most " + MAX_ACTIONS + " actions, none of them null");
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
     * Writes the matcher with its rules as text, in libmlx5's own format. Since rdma-core 28. Source: mlx5dv_dump(3).
     *
     * @param to receives the text; not closed
     * @throws IOException if {@code to} throws it
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
