/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.provider.rxe.memory.Domains;
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import io.verbs4j.provider.rxe.queue.Rendezvous;
import io.verbs4j.provider.rxe.queue.RingMemory;
import io.verbs4j.provider.rxe.queue.RxeCompletionQueue;
import io.verbs4j.provider.rxe.queue.RxeCq;
import io.verbs4j.provider.rxe.queue.RxeSharedReceiveQueue;
import java.util.concurrent.Executor;

/** What a queue pair of the embedded device is created with, and what follows from it. It never changes. */
public abstract class QpProperties {
    final int qpNum;
    final int qpType;
    final ProtectionDomain pd;
    final RxeCq sendCq;
    final RxeCq recvCq;
    final QpHost host;
    final QpCap cap;
    final boolean sigAll;

    /** The operations that may be posted, {@link QpCreateSendOps} bits. */
    final long sendOps;

    /** Whether the device itself sends, instead of the program. */
    final boolean sendsItself;

    /** The creation flags, {@link QpCreateFlags} bits. */
    final int createFlags;

    /** Takes over what a queue pair is created with. */
    QpProperties(QpInitAttrEx attr, int qpNum, QpHost host) {
        this.qpNum = qpNum;
        this.qpType = attr.qpType();
        this.pd = base(attr.pd());
        this.sendCq = queue(attr.sendCq());
        this.recvCq = queue(attr.recvCq());
        this.host = host;
        this.sigAll = attr.sqSigAll();
        boolean named = (attr.compMask() & QpInitAttrMask.SEND_OPS_FLAGS) != 0;
        this.sendsItself = isForDevice(attr);
        this.sendOps = sendsItself ? 0 : named ? attr.sendOpsFlags() : SendOps.of(qpType);
        QpCap c = attr.cap();
        this.cap = new QpCap() // a copy: the caller may change its own
                .maxSendWr(c.maxSendWr())
                .maxRecvWr(c.maxRecvWr())
                .maxSendSge(c.maxSendSge())
                .maxRecvSge(c.maxRecvSge())
                .maxInlineData(c.maxInlineData());
        this.createFlags = CrossChannel.createFlags(attr);
    }

    /**
     * Allocates memory for the inline data of a send queue, from the domain, or the device's own if the domain is null.
     */
    public static RingMemory inlineMemory(ProtectionDomain domain, QpInitAttrEx attr) {
        QpCap cap = attr.cap();
        return isForDevice(attr)
                ? RingMemory.forSendQueue(null, Rendezvous.SENDS, Rendezvous.INLINE)
                : RingMemory.forSendQueue(domain, cap.maxSendWr(), cap.maxInlineData());
    }

    /**
     * Returns whether the device itself sends: on a queue pair that receives rendezvous requests and has no send queue
     * for the program.
     */
    private static boolean isForDevice(QpInitAttrEx attr) {
        return attr.srq() != null
                && attr.cap().maxSendWr() == 0
                && ((RxeSharedReceiveQueue) attr.srq()).srq.matchesTags();
    }

    /** Returns the domain that decides which objects go together; null on the receiving side of XRC. */
    private static ProtectionDomain base(ProtectionDomain domain) {
        return domain == null ? null : Domains.root(domain);
    }

    private static RxeCq queue(CompletionQueue handle) {
        return handle == null ? null : ((RxeCompletionQueue) handle).cq;
    }

    /** {@return the queue pair number} */
    public final int qpNum() {
        return qpNum;
    }

    /** {@return the transport service, a {@link QpType} value} */
    public final int qpType() {
        return qpType;
    }

    /** {@return the domain that decides which objects go together; null on the receiving side of XRC} */
    public final ProtectionDomain pd() {
        return pd;
    }

    /** {@return the operations that may be posted, {@link QpCreateSendOps} bits} */
    long sendOps() {
        return sendOps;
    }

    /** Returns whether an operation, a {@link QpCreateSendOps} bit, may be posted. */
    public boolean has(long op) {
        return (sendOps & op) != 0;
    }

    boolean isXrc() {
        return qpType == QpType.XRC_SEND || qpType == QpType.XRC_RECV;
    }

    /** {@return whether it has an acknowledged connection: RC, or either side of XRC} */
    public final boolean isReliable() {
        return qpType == QpType.RC || isXrc();
    }

    /** {@return whether its own multicasts are not delivered to it} */
    public final boolean blocksItsMulticasts() {
        return (createFlags & QpCreateFlags.BLOCK_SELF_MCAST_LB) != 0;
    }

    /** {@return whether latency matters more than processor time} */
    public final boolean isUrgent() {
        return (createFlags & QpCreateFlags.LOW_LATENCY) != 0;
    }

    /** Returns whether a shared receive queue belongs to another process. */
    public boolean isForeign(int srqNum) {
        return false;
    }

    /** {@return whether it may have to wait for other processes} */
    public boolean waitsForProcesses() {
        return false;
    }

    /** {@return the threads for work that a thread that receives packets must not wait for} */
    public Executor helpers() {
        return host.helpers();
    }

    /** {@return the time that deadlines are measured in} */
    public long now() {
        return host.now();
    }

    /** {@return a time that is not before {@link #now()} and only some milliseconds after it} */
    public long soon() {
        return host.soon();
    }

    /** {@return the device's keys} */
    public final MemoryKeys keys() {
        return host.keys();
    }
}
