/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.mlx5.layout.DvFlowMatcherAttrLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * Selects the bits of a packet to compare, for rules in the kernel's tables; created by {@link Steering#createMatcher}.
 * Thread-safe. Source: mlx5dv_create_flow_matcher(3).
 */
public final class FlowMatcher extends SteeringHandle {
    static final String KIND = "flow matcher";

    private static final String CREATE = "mlx5dv_create_flow_matcher";
    private static final String DESTROY = "mlx5dv_destroy_flow_matcher";

    private final int maskLength;

    private FlowMatcher(VendorContext base, long address, Referents referents, int maskLength) {
        super(base, KIND, address, referents);
        this.maskLength = maskLength;
    }

    static FlowMatcher create(VendorContext base, FlowMatcherAttr attr) {
        if (attr == null || attr.mask() == null) {
            throw new VerbsException(
                    Errno.EINVAL, CREATE, (attr == null ? "attr" : "mask") + " is null; pass the bits to match");
        }
        Answers.narrow(CREATE, "priority", attr.priority(), 0xffff);
        Answers.narrow(CREATE, "criteria", attr.criteria(), 0xff);
        int length = attr.mask().length();
        return new HandleMaker<>(
                        base,
                        CREATE,
                        20,
                        KIND,
                        (b, address, referents) -> new FlowMatcher(b, address, referents, length))
                .make(DvFlowMatcherAttrLayout.SIZEOF + MatchArea.size(length), (function, c) -> {
                    long mask = c + DvFlowMatcherAttrLayout.SIZEOF;
                    attr.write(c, mask);
                    MatchArea.write(mask, attr.mask(), 0);
                    return function.call(base.address(), c);
                });
    }

    /**
     * Creates a rule. One action determines the destination: a queue pair, a DevX object, dropping or the default;
     * others can tag, count and change packets. Since rdma-core 20. Source: mlx5dv_create_flow(3).
     *
     * @param value the value that the bits of the mask must have
     * @param actions the actions on such packets; may be reused for other rules
     * @return the rule, to be closed before the matcher and the objects that its actions refer to
     * @throws VerbsException {@link Errno#EINVAL} for a value with bits outside the mask; {@link Errno#EOPNOTSUPP} for
     *     actions that do not go together or that the library or the device does not support; {@link Errno#EEXIST} if
     *     an identical rule exists
     */
    public FlowRule createRule(FlowMatchParameters value, FlowRuleAction... actions) {
        return FlowRule.create(this, maskLength, value, actions);
    }

    @Override
    void destroy() {
        Answers.check(DESTROY, Libmlx5.function(DESTROY, 20).call(address()));
    }
}
