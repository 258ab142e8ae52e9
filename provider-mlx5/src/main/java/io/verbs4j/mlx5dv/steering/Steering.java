/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.FlowActionEspAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.VendorVerbs;
import java.util.function.Function;

/**
 * Steers packets of an open ConnectX by rules in the device's own form. Obtain an instance from
 * {@link Context#vendor(Class)}. Objects created here keep the context open. Close the objects that a rule or an action
 * names after it: closing them earlier fails with {@link Errno#EBUSY}.
 *
 * <p>Thread-safe. In addition to their documented exceptions, methods throw {@link VerbsException} with
 * {@link Errno#EINVAL} after the context or a handle is closed and for handles of another context; with
 * {@link Errno#ENOSYS} if the loaded libmlx5 is older than the function, whose comment names the release of rdma-core
 * that introduced it; and with the errno of libmlx5 or the kernel. Source: mlx5dv_create_flow(3), mlx5dv_dr_flow(3).
 */
public final class Steering {
    /**
     * Flag of {@link #createEsp}: packets carry metadata. Source: {@code MLX5DV_FLOW_ACTION_FLAGS_REQUIRE_METADATA}.
     */
    public static final int ESP_REQUIRE_METADATA = 1 << 0;

    static {
        VendorVerbs.constructor(
                Steering.class,
                new Function<>() { // not a lambda: that would load the provider's class at once
                    @Override
                    public Steering apply(VendorContext base) {
                        return new Steering(base);
                    }
                });
    }

    private final VendorContext base;

    Steering(VendorContext base) {
        this.base = base;
    }

    /** {@return the context whose packets are steered, as the program opened it} */
    public Context context() {
        return base.context();
    }

    // ---- rules in the kernel's tables

    /**
     * Creates a matcher for rules in the kernel's tables. Since rdma-core 20. Source: mlx5dv_create_flow_matcher(3).
     *
     * @param attr the bits to compare, the tables and the priority
     * @return the matcher
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for a type, tables, a port or fields that the library or the
     *     device does not support; {@link Errno#EINVAL} for a mask with bits in parts that are not used
     */
    public FlowMatcher createMatcher(FlowMatcherAttr attr) {
        return FlowMatcher.create(base, attr);
    }

    /**
     * Creates an action that changes headers. Since rdma-core 21. Source: mlx5dv_create_flow_action_modify_header(3).
     *
     * @param changes the changes
     * @param tableType {@link FlowTableType} of the rules that use it
     * @return the action
     */
    public Mlx5FlowAction createModifyHeader(HeaderChanges changes, int tableType) {
        return Mlx5FlowAction.modifyHeader(base, changes, tableType);
    }

    /**
     * Creates an action that adds or removes headers. Since rdma-core 21. Source:
     * mlx5dv_create_flow_action_packet_reformat(3).
     *
     * @param type a {@link PacketReformatType} value
     * @param data the headers; may be null if the type needs none
     * @param tableType {@link FlowTableType} of the rules that use it
     * @return the action
     */
    public Mlx5FlowAction createPacketReformat(int type, byte[] data, int tableType) {
        return Mlx5FlowAction.reformat(base, type, data, tableType);
    }

    /**
     * Creates an action for IPsec. Since rdma-core 18; kernels since 5.18 do not support it. Source:
     * mlx5dv_flow_action_esp(3).
     *
     * @param attr the security association, with parameters and a key
     * @param actionFlags {@link #ESP_REQUIRE_METADATA} or 0
     * @return the action
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the kernel or the device does not support it
     */
    public Mlx5FlowAction createEsp(FlowActionEspAttr attr, int actionFlags) {
        return Mlx5FlowAction.esp(base, attr, actionFlags);
    }

    /**
     * Creates an anchor, at which packets return to the kernel's tables. Since rdma-core 42. Source:
     * mlx5dv_create_steering_anchor(3).
     *
     * @param tableType a {@link FlowTableType} value
     * @param priority position among the kernel's rules, 0 to 0xffff
     * @return the anchor
     */
    public SteeringAnchor createAnchor(int tableType, int priority) {
        return SteeringAnchor.create(base, tableType, priority);
    }

    // ---- tables of the program

    /**
     * Creates a domain, for tables that the program manages. Since rdma-core 24. Source: mlx5dv_dr_domain_create, in
     * mlx5dv_dr_flow(3).
     *
     * @param type a {@link SteeringDomainType} value
     * @return the domain
     * @throws VerbsException {@link Errno#EINVAL} for any other type; {@link Errno#EOPNOTSUPP} if the device does not
     *     support it
     */
    public SteeringDomain createDomain(int type) {
        return SteeringDomain.create(base, type);
    }

    /**
     * Creates an action that drops packets. Since rdma-core 24. Source: mlx5dv_dr_action_create_drop, in
     * mlx5dv_dr_flow(3).
     *
     * @return the action, for rules of any domain
     */
    public SteeringAction createDrop() {
        return SteeringAction.maker(base, "mlx5dv_dr_action_create_drop", 24)
                .make((function, address) -> function.call(0));
    }

    /**
     * Creates an action that treats packets as if there were no rules. Since rdma-core 30. Source:
     * mlx5dv_dr_action_create_default_miss, in mlx5dv_dr_flow(3).
     *
     * @return the action, for rules of any domain
     */
    public SteeringAction createDefaultMiss() {
        return SteeringAction.maker(base, "mlx5dv_dr_action_create_default_miss", 30)
                .make((function, address) -> function.call(0));
    }

    /**
     * Creates an action that tags packets: their completions report the number. Since rdma-core 24. Source:
     * mlx5dv_dr_action_create_tag, in mlx5dv_dr_flow(3).
     *
     * @param value 24 bits
     * @return the action, for rules on received frames
     */
    public SteeringAction createTag(int value) {
        return SteeringAction.maker(base, "mlx5dv_dr_action_create_tag", 24)
                .make((function, address) -> function.call(value & 0xffff_ffffL));
    }

    /**
     * Creates an action that delivers packets to a queue pair. Since rdma-core 24. Source:
     * mlx5dv_dr_action_create_dest_ibv_qp, in mlx5dv_dr_flow(3).
     *
     * @param qp a queue pair of type RAW_PACKET
     * @return the action, for rules on received frames; to be closed before the queue pair
     * @throws VerbsException {@link Errno#EINVAL} for a queue pair of another type
     */
    public SteeringAction createDestination(QueuePair qp) {
        HandleMaker<SteeringAction> maker = SteeringAction.maker(base, "mlx5dv_dr_action_create_dest_ibv_qp", 24);
        long target = maker.referents.add(qp);
        return maker.make((function, address) -> function.call(target));
    }

    /**
     * Creates an action that delivers packets to a TIR. Since rdma-core 31. Source:
     * mlx5dv_dr_action_create_dest_devx_tir, in mlx5dv_dr_flow(3).
     *
     * @param tir a DevX object
     * @return the action, for rules on received frames; to be closed before the TIR
     * @throws VerbsException {@link Errno#EINVAL} for an object of another kind
     */
    public SteeringAction createDestination(DevxObject tir) {
        HandleMaker<SteeringAction> maker = SteeringAction.maker(base, "mlx5dv_dr_action_create_dest_devx_tir", 31);
        long target = maker.referents.add("tir", tir);
        return maker.make((function, address) -> function.call(target));
    }

    /**
     * Creates an action that counts packets and bytes. Since rdma-core 24. Source:
     * mlx5dv_dr_action_create_flow_counter, in mlx5dv_dr_flow(3).
     *
     * @param counter a DevX flow counter, or several that were created together
     * @param offset index of the counter, from 0
     * @return the action, for rules of any domain; to be closed before the counter
     * @throws VerbsException {@link Errno#EINVAL} for an object of another kind
     */
    public SteeringAction createCounter(DevxObject counter, int offset) {
        HandleMaker<SteeringAction> maker = SteeringAction.maker(base, "mlx5dv_dr_action_create_flow_counter", 24);
        long object = maker.referents.add("counter", counter);
        return maker.make((function, address) -> function.call(object, offset & 0xffff_ffffL));
    }

    /**
     * Creates an action that removes the first VLAN tag. Since rdma-core 33. Source: mlx5dv_dr_action_create_pop_vlan,
     * in mlx5dv_dr_flow(3).
     *
     * @return the action, for rules of any domain
     */
    public SteeringAction createPopVlan() {
        return SteeringAction.maker(base, "mlx5dv_dr_action_create_pop_vlan", 33)
                .make((function, address) -> function.call(0));
    }

    /**
     * Creates an action that meters packets, stores their color in a register, and passes them to a table. Since
     * rdma-core 28. Source: mlx5dv_dr_action_create_flow_meter, in mlx5dv_dr_flow(3).
     *
     * @param attr the attributes of the meter
     * @return the action, for rules of the table's domain; to be closed before the table
     */
    public MeterAction createMeter(FlowMeterAttr attr) {
        return MeterAction.create(base, attr);
    }

    /**
     * Creates an action that applies actions to a sample of the packets, and passes all packets to a table. Since
     * rdma-core 32. Source: mlx5dv_dr_action_create_flow_sampler, in mlx5dv_dr_flow(3).
     *
     * @param attr the attributes of the sampler
     * @return the action, for rules of the table's domain; to be closed before the table and the sampler's actions
     * @throws VerbsException {@link Errno#EINVAL} if the table, the ratio or the actions are missing
     */
    public SteeringAction createSampler(FlowSamplerAttr attr) {
        String verb = "mlx5dv_dr_action_create_flow_sampler";
        if (attr == null) {
            throw new VerbsException(Errno.EINVAL, verb, "attr is null; pass a sampler");
        }
        HandleMaker<SteeringAction> maker = SteeringAction.maker(base, verb, 32);
        return maker.make(attr.size(), (function, address) -> {
            attr.write(address, maker.referents);
            return function.call(address);
        });
    }
}
