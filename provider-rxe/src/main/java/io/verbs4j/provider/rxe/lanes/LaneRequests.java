/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.lanes;

import io.verbs4j.Errno;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.qp.RxeQp;

/**
 * The send queue that lanes write: takes descriptors in order and posts them. The descriptor's format is in {@code
 * v4j_embedded.h}. Lanes are not trusted: a descriptor is copied before it is checked. Not thread-safe.
 */
final class LaneRequests {
    /** Size of a descriptor in bytes. */
    static final int SIZE = 64;

    /** The operations that a descriptor can have, a bit for each {@link WrOpcode}. */
    static final int OPERATIONS = 1 << WrOpcode.RDMA_WRITE
            | 1 << WrOpcode.RDMA_WRITE_WITH_IMM
            | 1 << WrOpcode.SEND
            | 1 << WrOpcode.SEND_WITH_IMM
            | 1 << WrOpcode.RDMA_READ
            | 1 << WrOpcode.ATOMIC_FETCH_AND_ADD;

    private static final int FLAGS = SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED;

    private final RxeQp qp;
    private final int operations;
    private final LanePeers peers;
    private final LaneMemory memory;
    private final ScatterGatherElement element = new ScatterGatherElement();
    private final SendWorkRequest request = new SendWorkRequest().sgList(element);
    private final SendWorkRequest[] refused = new SendWorkRequest[1];
    private long posted;
    private int error;

    /** Creates the queue; {@code most} is the maximum number of outstanding requests. */
    LaneRequests(RxeQp qp, int most, int operations, LanePeers peers) {
        this.qp = qp;
        this.operations = operations;
        this.peers = peers;
        memory = new LaneMemory(most);
    }

    long address() {
        return memory.address();
    }

    int places() {
        return memory.places();
    }

    /**
     * Posts descriptors up to an index, until the queue pair refuses one. Returns how many it posted.
     *
     * @param upTo index after the last descriptor that lanes have finished
     */
    int post(long upTo) {
        long before = posted;
        while (posted < upTo && error == 0) {
            int errno = read(memory.place(posted));
            if (errno == 0) {
                errno = qp.postSend(request.wrId(posted), refused);
            }
            if (errno == Errno.ENOMEM) { // full until completions are polled
                break;
            }
            if (errno == 0) {
                posted++;
            } else {
                error = errno;
                qp.enterErrorSoon(); // as a device does with an invalid descriptor
            }
        }
        return (int) (posted - before);
    }

    /** Returns the errno of the descriptor that the queue pair refused, or 0. */
    int error() {
        return error;
    }

    /** Returns whether the queue pair is in ERR and all requests before the refused one are finished. */
    boolean isDrained() {
        return qp.state() == QpState.ERR && qp.unfinishedSends() == 0;
    }

    /** Continues after the refused descriptor. Returns its index. */
    long skip() {
        error = 0;
        return posted++;
    }

    int qpNum() {
        return qp.qpNum();
    }

    private int read(long place) {
        int operation = NativeMemory.getInt(place);
        int flags = NativeMemory.getInt(place + 4);
        if (operation < 0
                || operation >= Integer.SIZE
                || (operations >>> operation & 1) == 0
                || (flags & ~FLAGS) != 0) {
            return Errno.EOPNOTSUPP;
        }
        request.opcode(operation)
                .sendFlags(flags)
                .remoteAddr(NativeMemory.getLong(place + 16))
                .rkey(NativeMemory.getInt(place + 32))
                .immData(NativeMemory.getInt(place + 36))
                .compareAdd(NativeMemory.getLong(place + 40));
        element.addr(NativeMemory.getLong(place + 8))
                .length(NativeMemory.getInt(place + 24))
                .lkey(NativeMemory.getInt(place + 28));
        if (qp.qpType() != QpType.UD) {
            return 0;
        }
        if (NativeMemory.getInt(place + 60) == 0) {
            return Errno.EINVAL;
        }
        request.ah(peers.find(NativeMemory.getInt(place + 48)))
                .remoteQpn(NativeMemory.getInt(place + 52))
                .remoteQkey(NativeMemory.getInt(place + 56));
        return request.ah() == null ? Errno.EINVAL : 0;
    }
}
