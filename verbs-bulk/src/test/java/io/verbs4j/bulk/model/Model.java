/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.model;

import io.verbs4j.QpCreateSendOps;

/**
 * Subset of the embedded device's abilities that a device reports. It refuses everything else.
 *
 * @param name part of the device's name
 * @param operations operations of reliable connections, {@link QpCreateSendOps} bits
 * @param reads depth of reads, as requester and as responder
 * @param events whether the device has completion events
 * @param datagrams whether it has queue pairs of type UD
 */
public record Model(String name, long operations, int reads, boolean events, boolean datagrams) {
    private static final long NO_READ_OPERATIONS =
            QpCreateSendOps.SEND | QpCreateSendOps.RDMA_WRITE | QpCreateSendOps.RDMA_WRITE_WITH_IMM;

    /** All operations that the transport prefers. */
    public static final Model ALL = new Model("all", NO_READ_OPERATIONS | QpCreateSendOps.RDMA_READ, 16, true);

    /** Does not know the operation. */
    public static final Model WITHOUT_READ = new Model("noread", NO_READ_OPERATIONS, 16, true);

    /** Knows the operation but has no resources for it. */
    public static final Model WITHOUT_READ_DEPTH =
            new Model("nodepth", NO_READ_OPERATIONS | QpCreateSendOps.RDMA_READ, 0, true);

    /** Receives are only for messages. */
    public static final Model WITHOUT_IMMEDIATE =
            new Model("noimm", QpCreateSendOps.SEND | QpCreateSendOps.RDMA_WRITE | QpCreateSendOps.RDMA_READ, 16, true);

    /** Unusable, because it lacks WRITE. */
    public static final Model WITHOUT_WRITE =
            new Model("nowrite", QpCreateSendOps.SEND | QpCreateSendOps.RDMA_READ, 16, true);

    /** Only WRITE, and no completion events. */
    public static final Model WRITE_ALONE = new Model("write", QpCreateSendOps.RDMA_WRITE, 0, false);

    /** No reliable connections. */
    public static final Model DATAGRAMS_ALONE = new Model("datagrams", 0, 0, true, true);

    /** Reliable connections and datagrams. */
    public static final Model ALL_AND_DATAGRAMS = new Model("both", ALL.operations, 16, true, true);

    private Model(String name, long operations, int reads, boolean events) {
        this(name, operations, reads, events, false);
    }

    /** Whether anything uses receives. */
    boolean hasReceives() {
        return (operations & (QpCreateSendOps.SEND | QpCreateSendOps.RDMA_WRITE_WITH_IMM)) != 0;
    }
}
