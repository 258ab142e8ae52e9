/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libmlx5;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Tables of one kind that the program manages: {@link Steering#createDomain}. Several threads may use it. Source:
 * mlx5dv_dr_domain_create, in mlx5dv_dr_flow(3).
 */
public final class SteeringDomain extends SteeringHandle {
    private static final String KIND = "steering domain";
    private static final String CREATE = "mlx5dv_dr_domain_create";
    private static final String DESTROY = "mlx5dv_dr_domain_destroy";

    private SteeringDomain(VendorContext base, long address, Referents referents) {
        super(base, KIND, address, referents);
    }

    static SteeringDomain create(VendorContext base, int type) {
        return new HandleMaker<>(base, CREATE, 24, KIND, SteeringDomain::new)
                .make((function, c) -> function.call(base.address(), type));
    }

    /**
     * Makes a table. Rdma-core 24. Source: mlx5dv_dr_table_create, in mlx5dv_dr_flow(3).
     *
     * @param level 0 for the root, where packets begin, and which is the kernel's; others are the program's
     * @return the table; to be closed before the domain
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for another level than 0 where the device does not have software
     *     steering
     */
    public SteeringTable createTable(int level) {
        return SteeringTable.create(this, level);
    }

    /**
     * Waits for changes of rules, which the device meets later by default. Rdma-core 24. Source: mlx5dv_dr_domain_sync,
     * in mlx5dv_dr_flow(3).
     *
     * @param flags {@link SteeringSyncFlags} bits
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for other bits, and where the device does not have software
     *     steering
     */
    public void sync(int flags) {
        String verb = "mlx5dv_dr_domain_sync";
        run(verb, () -> Answers.check(verb, Libmlx5.function(verb, 24).call(address(), flags & 0xffff_ffffL)));
    }

    /**
     * Sets whether memory of the device that is no longer used is given back. By default it is kept for later rules.
     * Rdma-core 30. Source: mlx5dv_dr_domain_set_reclaim_device_memory, in mlx5dv_dr_flow(3).
     *
     * @param enable true to give it back
     */
    public void reclaimDeviceMemory(boolean enable) {
        String verb = "mlx5dv_dr_domain_set_reclaim_device_memory";
        run(verb, () -> Libmlx5.function(verb, 30).call(address(), enable ? 1 : 0));
    }

    /**
     * Sets whether a table that is no root may have several rules with the same value. By default it may. Rdma-core 36.
     * Source: mlx5dv_dr_domain_allow_duplicate_rules, in mlx5dv_dr_flow(3).
     *
     * @param allow false to have the second one refused
     */
    public void allowDuplicateRules(boolean allow) {
        String verb = "mlx5dv_dr_domain_allow_duplicate_rules";
        run(verb, () -> Libmlx5.function(verb, 36).call(address(), allow ? 1 : 0));
    }

    /**
     * Writes the domain with all that it has as text, in libmlx5's own format. Rdma-core 28. Source: mlx5dv_dump(3).
     *
     * @param to where the text goes; stays open
     * @throws IOException where {@code to} does
     */
    public void dump(OutputStream to) throws IOException {
        SteeringDump.of("mlx5dv_dump_dr_domain", this, to);
    }

    // ---- actions of this domain; to be closed before it

    private HandleMaker<SteeringAction> maker(String verb, int since) {
        return maker(verb, since, SteeringAction::new);
    }

    private <T extends SteeringAction> HandleMaker<T> maker(String verb, int since, HandleMaker.Handle<T> handle) {
        HandleMaker<T> maker = new HandleMaker<>(base(), verb, since, SteeringAction.KIND, handle);
        maker.referents.add("domain", this);
        return maker;
    }

    /**
     * Makes an action that brings packets to a virtual port of the embedded switch. Rdma-core 24. Source:
     * mlx5dv_dr_action_create_dest_vport, in mlx5dv_dr_flow(3).
     *
     * @param vport number of the virtual port; 0xffff is the wire
     * @return the action
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for another type of domain than FDB
     */
    public SteeringAction createVportDestination(int vport) {
        return maker("mlx5dv_dr_action_create_dest_vport", 24)
                .make((function, c) -> function.call(address(), vport & 0xffff_ffffL));
    }

    /**
     * Makes an action that brings packets to a port of the device, which may stand for a virtual one. Rdma-core 37.
     * Source: mlx5dv_dr_action_create_dest_ib_port, in mlx5dv_dr_flow(3).
     *
     * @param port from 1
     * @return the action
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for another type of domain than FDB
     */
    public SteeringAction createPortDestination(int port) {
        return maker("mlx5dv_dr_action_create_dest_ib_port", 37)
                .make((function, c) -> function.call(address(), port & 0xffff_ffffL));
    }

    /**
     * Makes an action that brings packets to several destinations. Rdma-core 32. Source:
     * mlx5dv_dr_action_create_dest_array, in mlx5dv_dr_flow(3).
     *
     * @param destinations at least two
     * @return the action; to be closed before those of the destinations
     * @throws VerbsException {@link Errno#EINVAL} for fewer
     */
    public SteeringAction createDestinations(ActionDestination... destinations) {
        String verb = "mlx5dv_dr_action_create_dest_array";
        int size = ActionDestination.size(verb, destinations);
        HandleMaker<SteeringAction> maker = maker(verb, 32);
        return maker.make(size, (function, c) -> {
            ActionDestination.write(c, maker.referents, destinations);
            return function.call(address(), destinations.length, c);
        });
    }

    /**
     * Makes an action that changes headers. Rdma-core 24. Source: mlx5dv_dr_action_create_modify_header, in
     * mlx5dv_dr_flow(3).
     *
     * @param flags {@link SteeringActionFlags} bits: ROOT_LEVEL for rules of tables of level 0
     * @param changes what changes
     * @return the action
     */
    public SteeringAction createModifyHeader(int flags, HeaderChanges changes) {
        String verb = "mlx5dv_dr_action_create_modify_header";
        byte[] bytes = Mlx5FlowAction.bytes(verb, changes);
        return maker(verb, 24).make(bytes.length, (function, c) -> {
            NativeMemory.putBytes(c, bytes);
            return function.call(address(), flags & 0xffff_ffffL, bytes.length, c);
        });
    }

    /**
     * Makes an action that adds or removes headers. Rdma-core 24. Source: mlx5dv_dr_action_create_packet_reformat, in
     * mlx5dv_dr_flow(3).
     *
     * @param flags {@link SteeringActionFlags} bits: ROOT_LEVEL for rules of tables of level 0
     * @param type a {@link PacketReformatType} value
     * @param data the headers; may be null where the type needs none
     * @return the action
     */
    public SteeringAction createPacketReformat(int flags, int type, byte[] data) {
        byte[] bytes = data == null ? new byte[0] : data;
        return maker("mlx5dv_dr_action_create_packet_reformat", 24).make(bytes.length, (function, c) -> {
            NativeMemory.putBytes(c, bytes);
            return function.call(address(), flags & 0xffff_ffffL, type, bytes.length, bytes.length == 0 ? 0 : c);
        });
    }

    /**
     * Makes an action that puts a VLAN tag in front of the others. Rdma-core 33. Source:
     * mlx5dv_dr_action_create_push_vlan, in mlx5dv_dr_flow(3).
     *
     * @param header the type, 0x8100 or 0x88a8, in the upper 16 bits, and the tag in the lower
     * @return the action
     * @throws VerbsException {@link Errno#EINVAL} for another type
     */
    public SteeringAction createPushVlan(int header) {
        return maker("mlx5dv_dr_action_create_push_vlan", 33)
                .make((function, c) -> function.call(address(), NativeMemory.fromNetwork(header) & 0xffff_ffffL));
    }

    /**
     * Makes an action that reads and changes an object of the device with each packet. Rdma-core 33. Source:
     * mlx5dv_dr_action_create_aso, in mlx5dv_dr_flow(3).
     *
     * @param object an ASO object of DevX, or several that were made together
     * @param offset which of them, from 0
     * @param flags {@link AsoFlags} bits of the object's kind
     * @param returnRegister number of the register C that gets the object's value
     * @return the action; to be closed before the object
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for an object of another kind, and devices before ConnectX-6 Dx
     */
    public AsoAction createAso(DevxObject object, int offset, int flags, int returnRegister) {
        String verb = "mlx5dv_dr_action_create_aso";
        int register = Answers.narrow(verb, "returnRegister", returnRegister, 0xff);
        HandleMaker<AsoAction> maker = maker(verb, 33, AsoAction::new);
        long aso = maker.referents.add("object", object);
        return maker.make(
                (function, c) -> function.call(address(), aso, offset & 0xffff_ffffL, flags & 0xffff_ffffL, register));
    }

    /**
     * Lets rules of this domain use an ASO object of another one. Rdma-core 38. Source:
     * mlx5dv_dr_aso_other_domain_link, in mlx5dv_dr_flow(3).
     *
     * @param object an object of DevX for connection tracking
     * @param peer the domain that the object is of
     * @param flags {@link AsoFlags} bits of the object's kind
     * @param returnRegister number of the register C that gets the object's value
     * @return the link; to be closed before the domains and the object
     */
    public AsoLink linkAso(DevxObject object, SteeringDomain peer, int flags, int returnRegister) {
        return AsoLink.create(this, object, peer, flags, returnRegister);
    }

    @Override
    void destroy() {
        Answers.check(DESTROY, Libmlx5.function(DESTROY, 24).call(address()));
    }
}
