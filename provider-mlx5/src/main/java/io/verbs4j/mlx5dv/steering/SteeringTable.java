/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A table of a {@link SteeringDomain}: its rules are in matchers, which the device consults in order of priority.
 * Packets begin in the table of level 0, the root, which belongs to the kernel. Thread-safe. Source:
 * mlx5dv_dr_table_create, in mlx5dv_dr_flow(3).
 */
public final class SteeringTable extends SteeringHandle {
    private static final String KIND = "steering table";
    private static final String CREATE = "mlx5dv_dr_table_create";
    private static final String DESTROY = "mlx5dv_dr_table_destroy";

    private SteeringTable(VendorContext base, long address, Referents referents) {
        super(base, KIND, address, referents);
    }

    static SteeringTable create(SteeringDomain domain, int level) {
        HandleMaker<SteeringTable> maker = new HandleMaker<>(domain.base(), CREATE, 24, KIND, SteeringTable::new);
        long parent = maker.referents.add("domain", domain);
        return maker.make((function, c) -> function.call(parent, level & 0xffff_ffffL));
    }

    /**
     * Creates a matcher, which selects the bits of a packet that its rules compare. Since rdma-core 24. Source:
     * mlx5dv_dr_matcher_create, in mlx5dv_dr_flow(3).
     *
     * @param priority 0 to 0xffff; matchers with a lower number are consulted first
     * @param criteria {@link MatchCriteria} bits; those of the mask are {@link FlowMatchParameters#criteria}
     * @param mask the bits to compare
     * @return the matcher, to be closed before the table
     * @throws VerbsException {@link Errno#EINVAL} for a mask with bits in parts that are not used;
     *     {@link Errno#EOPNOTSUPP} for fields that cannot be matched together
     */
    public SteeringMatcher createMatcher(int priority, int criteria, FlowMatchParameters mask) {
        return SteeringMatcher.create(this, priority, criteria, mask);
    }

    /**
     * Creates an action that passes packets to this table. Since rdma-core 24. Source:
     * mlx5dv_dr_action_create_dest_table, in mlx5dv_dr_flow(3).
     *
     * @return the action, for rules of this domain; to be closed before the table
     * @throws VerbsException {@link Errno#EINVAL} for a table of level 0
     */
    public SteeringAction createDestination() {
        HandleMaker<SteeringAction> maker = SteeringAction.maker(base(), "mlx5dv_dr_action_create_dest_table", 24);
        long table = maker.referents.add("table", this);
        return maker.make((function, address) -> function.call(table));
    }

    /**
     * Creates an action that returns packets to this root table, after a priority. Since rdma-core 42. Source:
     * mlx5dv_dr_action_create_dest_root_table, in mlx5dv_dr_flow(3).
     *
     * @param priority position in the table, 0 to 0xffff
     * @return the action, for rules of this domain; to be closed before the table
     * @throws VerbsException {@link Errno#EINVAL} for a table of a level other than 0
     */
    public SteeringAction createRootDestination(int priority) {
        String verb = "mlx5dv_dr_action_create_dest_root_table";
        Answers.narrow(verb, "priority", priority, 0xffff);
        HandleMaker<SteeringAction> maker = SteeringAction.maker(base(), verb, 42);
        long table = maker.referents.add("table", this);
        return maker.make((function, address) -> function.call(table, priority));
    }

    /**
     * Writes the table with its matchers and rules as text, in libmlx5's own format. Since rdma-core 28. Source:
     * mlx5dv_dump(3).
     *
     * @param to receives the text; not closed
     * @throws IOException if {@code to} throws it
     */
    public void dump(OutputStream to) throws IOException {
        SteeringDump.of("mlx5dv_dump_dr_table", this, to);
    }

    @Override
    void destroy() {
        Answers.check(DESTROY, Libmlx5.function(DESTROY, 24).call(address()));
    }
}
