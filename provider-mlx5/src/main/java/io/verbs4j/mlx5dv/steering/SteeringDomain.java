/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Tables of one kind that the program manages, created by {@link Steering#createDomain}. Thread-safe. Source:
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
     * Creates a table. Since rdma-core 24. Source: mlx5dv_dr_table_create, in mlx5dv_dr_flow(3).
     *
     * @param level 0 for the root, where packets begin and which belongs to the kernel; other levels belong to the
     *     program
     * @return the table, to be closed before the domain
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for a level other than 0 if the device does not support software
     *     steering
     */
    public SteeringTable createTable(int level) {
        return SteeringTable.create(this, level);
    }

    /**
     * Waits until changes of rules take effect; by default the device applies them later. Since rdma-core 24. Source:
     * mlx5dv_dr_domain_sync, in mlx5dv_dr_flow(3).
     *
     * @param flags {@link SteeringSyncFlags} bits
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for other bits, and if the device does not support software
     *     steering
     */
    public void sync(int flags) {
        String verb = "mlx5dv_dr_domain_sync";
        run(verb, () -> Answers.check(verb, Libmlx5.function(verb, 24).call(address(), flags & 0xffff_ffffL)));
    }

    /**
     * Sets whether device memory that is no longer used is freed. By default it is kept for later rules. Since
     * rdma-core 30. Source: mlx5dv_dr_domain_set_reclaim_device_memory, in mlx5dv_dr_flow(3).
     *
     * @param enable true to free it
     */
    public void reclaimDeviceMemory(boolean enable) {
        String verb = "mlx5dv_dr_domain_set_reclaim_device_memory";
        run(verb, () -> Libmlx5.function(verb, 30).call(address(), enable ? 1 : 0));
    }

    /**
     * Sets whether a table other than the root may have several rules with the same value. By default it may. Since
     * rdma-core 36. Source: mlx5dv_dr_domain_allow_duplicate_rules, in mlx5dv_dr_flow(3).
     *
     * @param allow false to refuse duplicates
     */
    public void allowDuplicateRules(boolean allow) {
        String verb = "mlx5dv_dr_domain_allow_duplicate_rules";
        run(verb, () -> Libmlx5.function(verb, 36).call(address(), allow ? 1 : 0));
    }

    /**
     * Writes the domain with everything in it as text, in libmlx5's own format. Since rdma-core 28. Source:
     * mlx5dv_dump(3).
     *
     * @param to receives the text; not closed
     * @throws IOException if {@code to} throws it
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
     * Creates an action that sends packets to a virtual port of the embedded switch. Since rdma-core 24. Source:
     * mlx5dv_dr_action_create_dest_vport, in mlx5dv_dr_flow(3).
     *
     * @param vport number of the virtual port; 0xffff is the wire
     * @return the action
     * @throws VerbsException {@link Errno#EOPNOTSUPP} unless the type of the domain is FDB
     */
    public SteeringAction createVportDestination(int vport) {
        return maker("mlx5dv_dr_action_create_dest_vport", 24)
                .make((function, c) -> function.call(address(), vport & 0xffff_ffffL));
    }

    /**
     * Creates an action that sends packets to a port of the device, which may represent a virtual port. Since rdma-core
     * 37. Source: mlx5dv_dr_action_create_dest_ib_port, in mlx5dv_dr_flow(3).
     *
     * @param port from 1
     * @return the action
     * @throws VerbsException {@link Errno#EOPNOTSUPP} unless the type of the domain is FDB
     */
    public SteeringAction createPortDestination(int port) {
        return maker("mlx5dv_dr_action_create_dest_ib_port", 37)
                .make((function, c) -> function.call(address(), port & 0xffff_ffffL));
    }

    /**
     * Creates an action that sends packets to several destinations. Since rdma-core 32. Source:
     * mlx5dv_dr_action_create_dest_array, in mlx5dv_dr_flow(3).
     *
     * @param destinations at least two
     * @return the action, to be closed before those of the destinations
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
     * Creates an action that changes headers. Since rdma-core 24. Source: mlx5dv_dr_action_create_modify_header, in
     * mlx5dv_dr_flow(3).
     *
     * @param flags {@link SteeringActionFlags} bits: ROOT_LEVEL for rules of the table of level 0
     * @param changes the changes
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
     * Creates an action that adds or removes headers. Since rdma-core 24. Source:
     * mlx5dv_dr_action_create_packet_reformat, in mlx5dv_dr_flow(3).
     *
     * @param flags {@link SteeringActionFlags} bits: ROOT_LEVEL for rules of the table of level 0
     * @param type a {@link PacketReformatType} value
     * @param data the headers; may be null if the type needs none
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
     * Creates an action that inserts a VLAN tag before any others. Since rdma-core 33. Source:
     * mlx5dv_dr_action_create_push_vlan, in mlx5dv_dr_flow(3).
     *
     * @param header the type, 0x8100 or 0x88a8, in the upper 16 bits, and the tag in the lower 16
     * @return the action
     * @throws VerbsException {@link Errno#EINVAL} for any other type
     */
    public SteeringAction createPushVlan(int header) {
        return maker("mlx5dv_dr_action_create_push_vlan", 33)
                .make((function, c) -> function.call(address(), NativeMemory.fromNetwork(header) & 0xffff_ffffL));
    }

    /**
     * Creates an action that reads and changes a device object with each packet. Since rdma-core 33. Source:
     * mlx5dv_dr_action_create_aso, in mlx5dv_dr_flow(3).
     *
     * @param object a DevX ASO object, or several that were created together
     * @param offset index of the object, from 0
     * @param flags {@link AsoFlags} bits of the object's kind
     * @param returnRegister number of the register C that receives the object's value
     * @return the action, to be closed before the object
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for an object of another kind, and with devices before ConnectX-6
     *     Dx
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
     * Lets rules of this domain use an ASO object of another domain. Since rdma-core 38. Source:
     * mlx5dv_dr_aso_other_domain_link, in mlx5dv_dr_flow(3).
     *
     * @param object a DevX object for connection tracking
     * @param peer the domain that the object belongs to
     * @param flags {@link AsoFlags} bits of the object's kind
     * @param returnRegister number of the register C that receives the object's value
     * @return the link, to be closed before the domains and the object
     */
    public AsoLink linkAso(DevxObject object, SteeringDomain peer, int flags, int returnRegister) {
        return AsoLink.create(this, object, peer, flags, returnRegister);
    }

    @Override
    void destroy() {
        Answers.check(DESTROY, Libmlx5.function(DESTROY, 24).call(address()));
    }
}
