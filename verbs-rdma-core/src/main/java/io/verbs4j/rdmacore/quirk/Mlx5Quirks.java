/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.quirk;

import io.verbs4j.AccessFlags;
import io.verbs4j.QpCreateFlags;

/** The quirks of libmlx5. */
final class Mlx5Quirks extends Quirks {
    @Override
    public int accessFlags() {
        return AccessFlags.LOCAL_WRITE
                | AccessFlags.REMOTE_WRITE
                | AccessFlags.REMOTE_READ
                | AccessFlags.REMOTE_ATOMIC
                | AccessFlags.MW_BIND
                | AccessFlags.ZERO_BASED
                | AccessFlags.ON_DEMAND
                | AccessFlags.HUGETLB
                | AccessFlags.RELAXED_ORDERING;
    }

    @Override
    public int createFlags() {
        return QpCreateFlags.BLOCK_SELF_MCAST_LB | QpCreateFlags.CVLAN_STRIPPING | QpCreateFlags.SCATTER_FCS;
    }

    /** It does in rdma-core 65. */
    @Override
    public boolean importsObjects() {
        return true;
    }

    /**
     * Before release 41 of rdma-core, libmlx5 writes past the end of the send queue when the last part of a bind should
     * wrap around to its start; the function that is looked up here exists from release 42 on.
     */
    @Override
    public String bindProblem() {
        return Libmlx5.has("mlx5dv_create_steering_anchor")
                ? null
                : "this libmlx5 writes beyond its send queue when it binds memory windows; use rdma-core 42 or newer,"
                        + " or the Java data path";
    }

    @Override
    public boolean needsClock() {
        return true;
    }

    @Override
    public TickClock clock(long context) {
        return new Mlx5Clock(context);
    }

    @Override
    public boolean copiesFromCompletions() {
        return true;
    }

    @Override
    public long createQpWithoutCopies(long context, long attr) {
        return Mlx5QueuePairs.create(context, attr);
    }

    /**
     * Seen with rdma-core 44; the source of 65 is the same: {@code destroy_qp} frees a doorbell record that such a
     * handle lacks.
     */
    @Override
    public String openQpProblem() {
        return "libmlx5 crashes the process when a queue pair opened this way is closed; use the handle that created"
                + " it";
    }

    /** It returns ENOMEM, but has written data of the refused request into the last one that it accepted. */
    @Override
    public boolean spoilsFullQueue() {
        return true;
    }

    @Override
    public boolean reservesSrqElements() {
        return true;
    }
}
