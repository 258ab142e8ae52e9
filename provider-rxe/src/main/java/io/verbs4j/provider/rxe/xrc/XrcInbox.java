/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import io.verbs4j.provider.rxe.qp.Inbox;
import io.verbs4j.provider.rxe.qp.RemoteQueues;
import io.verbs4j.provider.rxe.queue.RecvWqe;
import io.verbs4j.provider.rxe.queue.RxeSrq;
import io.verbs4j.provider.rxe.queue.ScatterList;

/** The shared receive queues of an XRC domain, as destinations of a receiving queue pair. */
final class XrcInbox implements Inbox {
    private final XrcReceiver target;
    private final XrcDomainState domain;

    /** The queue pair if this process owns it; otherwise null, and queues of other processes are unreachable. */
    private final RxeXrcQp own;

    private final WorkCompletion wc = new WorkCompletion();
    private RxeSrq srq;
    private RemoteQueues remote;

    XrcInbox(XrcReceiver target, XrcDomainState domain, RxeXrcQp own) {
        this.target = target;
        this.domain = domain;
        this.own = own;
    }

    @Override
    public boolean select(int srqNum) {
        remote = own != null && own.isForeign(srqNum) ? own.peer(srqNum) : null;
        srq = remote == null ? domain.srq(srqNum) : null;
        return remote != null || srq != null;
    }

    @Override
    public RemoteQueues remote() {
        return remote;
    }

    @Override
    public void end() {
        if (own != null) {
            own.closePeers();
        }
    }

    @Override
    public ProtectionDomain pd() {
        return srq.pd();
    }

    @Override
    public MemoryKeys keys() {
        return target.keys();
    }

    @Override
    public int accessFlags() {
        return target.accessFlags();
    }

    @Override
    public int mtu() {
        return target.mtu();
    }

    @Override
    public RecvWqe newRecvWqe() {
        return new RecvWqe(ScatterList.MAX_PIECES); // fits any queue
    }

    @Override
    public boolean takeReceive(RecvWqe into) {
        return srq.take(into);
    }

    @Override
    public boolean completeReceive(
            RecvWqe wqe, int status, int opcode, int byteLen, int wcFlags, int immData, int srcQp, boolean solicited) {
        wc.wrId(wqe.wrId)
                .status(status)
                .opcode(opcode)
                .byteLen(byteLen)
                .immData(immData)
                .qpNum(target.qpNum())
                .srcQp(srcQp)
                .wcFlags(wcFlags);
        return srq.complete(wc, solicited);
    }
}
