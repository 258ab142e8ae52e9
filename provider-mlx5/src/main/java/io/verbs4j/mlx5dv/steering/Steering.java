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
 * Steers packets of an open ConnectX by rules in the device's own form; from {@link Context#vendor(Class)}. Each object
 * made here keeps the context open. What a rule or an action names must be closed after it: closing it earlier throws
 * {@link VerbsException} with {@link Errno#EBUSY}.
 *
 * <p>Thread-safe. Besides the errors that each method names, all of them throw {@link VerbsException} with
 * {@link Errno#EINVAL} after the context or a handle is closed and for handles of another context, with
 * {@link Errno#ENOSYS} where the loaded libmlx5 is older than the function (whose comment names the release of
 * rdma-core), and with the error that libmlx5 or the kernel returns. Source: mlx5dv_create_flow(3), mlx5dv_dr_flow(3).
 */
public final class Steering {
    /** Of {@link #createEsp}: packets have metadata. Source: {@code MLX5DV_FLOW_ACTION_FLAGS_REQUIRE_METADATA}. */
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

    /**
     * The context whose packets these are.
     *
     * @return the context, as the program has it
     */
    public Context context() {
        return base.context();
    }

    // ---- rules in the kernel's tables

    /**
     * Makes a matcher for rules in the kernel's tables. Rdma-core 20. Source: mlx5dv_create_flow_matcher(3).
     *
     * @param attr which bits count, where and at which priority
     * @return the matcher
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for a type, tables, a port or fields that library or device do
     *     not have; {@link Errno#EINVAL} for a mask with bits in parts that do not count
     */
    public FlowMatcher createMatcher(FlowMatcherAttr attr) {
        return FlowMatcher.create(base, attr);
    }

    /**
     * Makes an action that changes headers. Rdma-core 21. Source: mlx5dv_create_flow_action_modify_header(3).
     *
     * @param changes what changes
     * @param tableType {@link FlowTableType} of the rules that have it
     * @return the action
     */
    public Mlx5FlowAction createModifyHeader(HeaderChanges changes, int tableType) {
        return Mlx5FlowAction.modifyHeader(base, changes, tableType);
    }

    /**
     * Makes an action that adds or removes headers. Rdma-core 21. Source: mlx5dv_create_flow_action_packet_reformat(3).
     *
     * @param type a {@link PacketReformatType} value
     * @param data the headers; may be null where the type needs none
     * @param tableType {@link FlowTableType} of the rules that have it
     * @return the action
     */
    public Mlx5FlowAction createPacketReformat(int type, byte[] data, int tableType) {
        return Mlx5FlowAction.reformat(base, type, data, tableType);
    }

    /**
     * Makes an action of IPsec. Rdma-core 18; kernels since 5.18 do not have it. Source: mlx5dv_flow_action_esp(3).
     *
     * @param attr the security association, with parameters and a key
     * @param actionFlags {@link #ESP_REQUIRE_METADATA} or 0
     * @return the action
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where kernel or device do not have it
     */
    public Mlx5FlowAction createEsp(FlowActionEspAttr attr, int actionFlags) {
        return Mlx5FlowAction.esp(base, attr, actionFlags);
    }

    /**
     * Makes a place where packets come back to the kernel's tables. Rdma-core 42. Source:
     * mlx5dv_create_steering_anchor(3).
     *
     * @param tableType a {@link FlowTableType} value
     * @param priority where among the kernel's rules, 0 to 0xffff
     * @return the anchor
     */
    public SteeringAnchor createAnchor(int tableType, int priority) {
        return SteeringAnchor.create(base, tableType, priority);
    }

    // ---- tables of the program

    /**
     * Makes a domain, for tables that the program manages. Rdma-core 24. Source: mlx5dv_dr_domain_create, in
     * mlx5dv_dr_flow(3).
     *
     * @param type a {@link SteeringDomainType} value
     * @return the domain
     * @throws VerbsException {@link Errno#EINVAL} for another type; {@link Errno#EOPNOTSUPP} where the device does not
     *     have it
     */
    public SteeringDomain createDomain(int type) {
        return SteeringDomain.create(base, type);
    }

    /**
     * Makes an action that drops packets. Rdma-core 24. Source: mlx5dv_dr_action_create_drop, in mlx5dv_dr_flow(3).
     *
     * @return the action, for rules of any domain
     */
    public SteeringAction createDrop() {
        return SteeringAction.maker(base, "mlx5dv_dr_action_create_drop", 24)
                .make((function, address) -> function.call(0));
    }

    /**
     * Makes an action that does what would happen without rules. Rdma-core 30. Source:
     * mlx5dv_dr_action_create_default_miss, in mlx5dv_dr_flow(3).
     *
     * @return the action, for rules of any domain
     */
    public SteeringAction createDefaultMiss() {
        return SteeringAction.maker(base, "mlx5dv_dr_action_create_default_miss", 30)
                .make((function, address) -> function.call(0));
    }

    /**
     * Makes an action that tags packets: their completions report the number. Rdma-core 24. Source:
     * mlx5dv_dr_action_create_tag, in mlx5dv_dr_flow(3).
     *
     * @param value 24 bits
     * @return the action, for rules of received frames
     */
    public SteeringAction createTag(int value) {
        return SteeringAction.maker(base, "mlx5dv_dr_action_create_tag", 24)
                .make((function, address) -> function.call(value & 0xffff_ffffL));
    }

    /**
     * Makes an action by which a queue pair receives packets. Rdma-core 24. Source:
     * mlx5dv_dr_action_create_dest_ibv_qp, in mlx5dv_dr_flow(3).
     *
     * @param qp a queue pair of type RAW_PACKET
     * @return the action, for rules of received frames; to be closed before the queue pair
     * @throws VerbsException {@link Errno#EINVAL} for a queue pair of another type
     */
    public SteeringAction createDestination(QueuePair qp) {
        HandleMaker<SteeringAction> maker = SteeringAction.maker(base, "mlx5dv_dr_action_create_dest_ibv_qp", 24);
        long target = maker.referents.add(qp);
        return maker.make((function, address) -> function.call(target));
    }

    /**
     * Makes an action by which a TIR receives packets. Rdma-core 31. Source: mlx5dv_dr_action_create_dest_devx_tir, in
     * mlx5dv_dr_flow(3).
     *
     * @param tir an object of DevX
     * @return the action, for rules of received frames; to be closed before the TIR
     * @throws VerbsException {@link Errno#EINVAL} for an object of another kind
     */
    public SteeringAction createDestination(DevxObject tir) {
        HandleMaker<SteeringAction> maker = SteeringAction.maker(base, "mlx5dv_dr_action_create_dest_devx_tir", 31);
        long target = maker.referents.add("tir", tir);
        return maker.make((function, address) -> function.call(target));
    }

    /**
     * Makes an action that counts packets and bytes. Rdma-core 24. Source: mlx5dv_dr_action_create_flow_counter, in
     * mlx5dv_dr_flow(3).
     *
     * @param counter a flow counter of DevX, or several that were made together
     * @param offset which of them, from 0
     * @return the action, for rules of any domain; to be closed before the counter
     * @throws VerbsException {@link Errno#EINVAL} for an object of another kind
     */
    public SteeringAction createCounter(DevxObject counter, int offset) {
        HandleMaker<SteeringAction> maker = SteeringAction.maker(base, "mlx5dv_dr_action_create_flow_counter", 24);
        long object = maker.referents.add("counter", counter);
        return maker.make((function, address) -> function.call(object, offset & 0xffff_ffffL));
    }

    /**
     * Makes an action that takes the first VLAN tag off. Rdma-core 33. Source: mlx5dv_dr_action_create_pop_vlan, in
     * mlx5dv_dr_flow(3).
     *
     * @return the action, for rules of any domain
     */
    public SteeringAction createPopVlan() {
        return SteeringAction.maker(base, "mlx5dv_dr_action_create_pop_vlan", 33)
                .make((function, address) -> function.call(0));
    }

    /**
     * Makes an action that measures packets, whose color then lies in a register, and brings them to a table. Rdma-core
     * 28. Source: mlx5dv_dr_action_create_flow_meter, in mlx5dv_dr_flow(3).
     *
     * @param attr the meter
     * @return the action, for rules of the table's domain; to be closed before the table
     */
    public MeterAction createMeter(FlowMeterAttr attr) {
        return MeterAction.create(base, attr);
    }

    /**
     * Makes an action that does something with some packets, and brings all of them to a table. Rdma-core 32. Source:
     * mlx5dv_dr_action_create_flow_sampler, in mlx5dv_dr_flow(3).
     *
     * @param attr the sampler
     * @return the action, for rules of the table's domain; to be closed before the table and its actions
     * @throws VerbsException {@link Errno#EINVAL} where table, ratio or actions are missing
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
