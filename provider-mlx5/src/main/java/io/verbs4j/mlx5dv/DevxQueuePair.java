/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.AddressHandle;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.LinkLayer;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;

/**
 * A queue pair of the reliable connection that only sends, whose queues lie in memory of the program, for instance in a
 * dma-buf of a GPU. Device code posts and polls: {@code DeviceRing.export(context, qp)} hands it over. DevX creates it,
 * because libmlx5 writes to the queues of its own queue pairs.
 *
 * <p>It has no receive queue: a peer may write to memory of the domain, read it and change it atomically, but not send.
 * The peer is any queue pair of the reliable connection.
 *
 * <p>The memory holds, each on pages of its own: the completions, the requests, and the doorbell records. Thread-safe.
 * Close it before its memory, its page of registers, its protection domain and its context. Source: the programmer's
 * reference.
 */
public final class DevxQueuePair implements AutoCloseable {
    private static final String VERB = "devx_create_qp";
    private static final String MODIFY = "devx_modify_qp";
    private static final int PAGE = 4096;

    /** Size of a completion, and of a block of a request. */
    private static final int PLACE = 64;

    private static final int MAX_SENDS = 1 << 15;

    /** Behind the record of the queue pair. */
    private static final int CQ_RECORD = 64;

    private static final byte INVALID = (byte) 0xff;

    private static final int TO_INIT =
            QpAttrMask.STATE | QpAttrMask.PKEY_INDEX | QpAttrMask.PORT | QpAttrMask.ACCESS_FLAGS;
    private static final int TO_RTR = QpAttrMask.STATE
            | QpAttrMask.AV
            | QpAttrMask.PATH_MTU
            | QpAttrMask.DEST_QPN
            | QpAttrMask.RQ_PSN
            | QpAttrMask.MAX_DEST_RD_ATOMIC
            | QpAttrMask.MIN_RNR_TIMER;
    private static final int TO_RTS = QpAttrMask.STATE
            | QpAttrMask.SQ_PSN
            | QpAttrMask.TIMEOUT
            | QpAttrMask.RETRY_CNT
            | QpAttrMask.RNR_RETRY
            | QpAttrMask.MAX_QP_RD_ATOMIC;

    private final ProtectionDomain pd;
    private final long laneAddress;
    private final long hostAddress;
    private final long registerAddress;
    private final int log;
    private final int cqNum;
    private final int qpNum;
    private final DevxObject cq;
    private final DevxObject qp;
    private int portNum;

    private DevxQueuePair(ProtectionDomain pd, DevxQueuePairAttr attr) {
        this.pd = pd;
        laneAddress = attr.laneAddress();
        hostAddress = attr.hostAddress();
        Context context = pd.context();
        Devx devx = context.vendor(Devx.class);
        log = DevxQpCommands.log(attr.maxSendWr());
        registerAddress = attr.uar().regAddress();
        int page = attr.uar().pageId();
        int umem = attr.memory().umemId();
        long sends = attr.offset() + ringLength();
        long records = sends + ringLength();
        if (hostAddress != 0) {
            prepare();
        }
        Mailbox out = new Mailbox(Mailbox.HEADER_LENGTH);
        cq = devx.createObject(
                DevxQpCommands.createCq(log, page, devx.queryEqn(0), umem, attr.offset(), records + CQ_RECORD), out);
        cqNum = DevxQpCommands.number(out);
        try {
            int pdn = context.vendor(Mlx5Dv.class).pdNumber(pd);
            qp = devx.createObject(DevxQpCommands.createQp(log, pdn, page, cqNum, umem, sends, records), out);
        } catch (RuntimeException e) {
            cq.close();
            throw e;
        }
        qpNum = DevxQpCommands.number(out);
    }

    /**
     * Creates a queue pair in the state RESET.
     *
     * @param pd the domain of the memory that its requests name
     * @param attr where its queues lie; read once
     * @return the queue pair
     * @throws VerbsException {@link Errno#EINVAL} for an attribute that is missing or out of its range;
     *     {@link DevxException} if the device refuses, for instance memory that is too short; {@link Errno#EOPNOTSUPP}
     *     if the context was opened without DevX
     */
    public static DevxQueuePair create(ProtectionDomain pd, DevxQueuePairAttr attr) {
        if (pd == null || attr == null || attr.memory() == null || attr.uar() == null) {
            throw invalid("pd, attr, its memory and its uar are required");
        }
        requireSends(attr.maxSendWr());
        if (attr.offset() < 0 || attr.offset() % PAGE != 0) {
            throw invalid("the offset of the memory is " + attr.offset() + "; use a multiple of " + PAGE);
        }
        return new DevxQueuePair(pd, attr);
    }

    private static void requireSends(int maxSendWr) {
        if (maxSendWr < 1 || maxSendWr > MAX_SENDS) {
            throw invalid("maxSendWr is " + maxSendWr + "; use 1 to " + MAX_SENDS);
        }
    }

    private static VerbsException invalid(String message) {
        return new VerbsException(Errno.EINVAL, VERB, message);
    }

    /**
     * Returns how much memory a queue pair needs.
     *
     * @param maxSendWr the maximum number of outstanding requests, 1 to 32768
     * @return the number of bytes, a multiple of 4096
     * @throws VerbsException {@link Errno#EINVAL} for a number out of that range
     */
    public static long memoryLength(int maxSendWr) {
        requireSends(maxSendWr);
        return 2L * ringLength(DevxQpCommands.log(maxSendWr)) + PAGE;
    }

    private static int ringLength(int log) {
        return Math.max(PAGE, PLACE << log);
    }

    private int ringLength() {
        return ringLength(log);
    }

    /** No completion is there yet, and nothing was announced. */
    private void prepare() {
        NativeMemory.fill(hostAddress, ringLength(), INVALID);
        NativeMemory.fill(hostAddress + ringLength(), ringLength() + PAGE, (byte) 0);
    }

    /**
     * Moves it to another state: from RESET to INIT, RTR and RTS, with the attributes that {@code QueuePair.modify}
     * requires, or from any to ERR. To RTR, the port's address resolution finds the peer's Ethernet address.
     *
     * @param to the state and its attributes
     * @throws VerbsException {@link Errno#EINVAL} for another state, and for attributes that are missing or do not fit;
     *     {@link DevxException} if the device refuses
     */
    public synchronized void modify(QpAttr to) {
        if (to == null) {
            throw new VerbsException(Errno.EINVAL, MODIFY, "attr is null; pass the attributes of the next state");
        }
        switch (to.qpState()) {
            case QpState.INIT -> {
                require(to, TO_INIT);
                run(DevxQpCommands.toInit(qpNum, to));
                portNum = to.portNum();
            }
            case QpState.RTR -> {
                require(to, TO_RTR);
                run(toRtr(to));
            }
            case QpState.RTS -> {
                require(to, TO_RTS);
                run(DevxQpCommands.toRts(qpNum, to));
            }
            case QpState.ERR -> run(DevxQpCommands.toError(qpNum));
            default ->
                throw new VerbsException(
                        Errno.EINVAL,
                        MODIFY,
                        "the state is " + QpState.toString(to.qpState()) + "; use INIT, RTR, RTS or ERR");
        }
    }

    private static void require(QpAttr attr, int mask) {
        if (attr.mask() != mask) {
            throw new VerbsException(
                    Errno.EINVAL,
                    MODIFY,
                    "to " + QpState.toString(attr.qpState()) + " the attributes are " + QpAttrMask.toString(mask)
                            + ", not " + QpAttrMask.toString(attr.mask()));
        }
    }

    private Mailbox toRtr(QpAttr to) {
        Context context = pd.context();
        boolean ethernet = context.queryPort(Math.max(1, portNum)).linkLayer() == LinkLayer.ETHERNET;
        try (AddressHandle peer = pd.createAh(to.ahAttr())) {
            byte[] vector = context.vendor(Mlx5Dv.class).addressVector(peer);
            return DevxQpCommands.toRtr(qpNum, to, portNum, vector, ethernet);
        }
    }

    private void run(Mailbox in) {
        qp.modify(in, new Mailbox(Mailbox.HEADER_LENGTH));
    }

    /** {@return the context that it belongs to} */
    public Context context() {
        return pd.context();
    }

    /** {@return its number, 24 bits, which the peer connects to} */
    public int qpNum() {
        return qpNum;
    }

    /** {@return the number of its completion queue, 24 bits} */
    public int cqNum() {
        return cqNum;
    }

    /** {@return the number of places of each queue, a power of 2} */
    public int places() {
        return 1 << log;
    }

    /** {@return the size of a completion, and of a block of a request, in bytes: 64} */
    public int placeSize() {
        return PLACE;
    }

    /** {@return the address of the completions, as lanes see it} */
    public long completions() {
        return laneAddress;
    }

    /** {@return the address of the blocks of requests, as lanes see it} */
    public long sends() {
        return laneAddress + ringLength();
    }

    /** {@return the address of the doorbell records, 8 bytes, as lanes see it} */
    public long record() {
        return sends() + ringLength();
    }

    /** {@return the address of the completion queue's records, 8 bytes, as lanes see it} */
    public long cqRecord() {
        return record() + CQ_RECORD;
    }

    /** {@return the address of the doorbell register in this process} */
    public long register() {
        return registerAddress;
    }

    /** {@return the address of the completions in this process; 0 if it does not see the memory} */
    public long hostAddress() {
        return hostAddress;
    }

    /**
     * Destroys the queue pair, then its completion queue; repeated calls do nothing. No lane may use it any more.
     *
     * @throws VerbsException {@link DevxException} if the device refuses
     */
    @Override
    public synchronized void close() {
        qp.close();
        cq.close();
    }
}
