/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.BiConsumer;

/**
 * The data path: a request is done when it is posted, from memory to memory. One thread uses it. What the handles need
 * is in objects of this class: their names are the header's.
 */
class Loop {
    /** Of the last request. */
    int lastFlags;

    /** So that a clock of 41 bits soon begins again. */
    private static final int CLOCK_SHIFT = 36;

    /** What is behind a queue pair or a shared receive queue. */
    static final class End {
        final Queue<RecvWorkRequest> receives = new ArrayDeque<>();
        CompletionQueue cq;
        Queue<RecvWorkRequest> from = receives;
        QpCap cap;
        boolean signalAll;
        int state;
        int peer;
    }

    /** Told of each write: the queue pair that it is of, and the one that it goes to, if any. */
    final List<BiConsumer<QueuePair, VerbsObject>> writes = new ArrayList<>();

    private final Map<CompletionQueue, Queue<Done>> completions = new HashMap<>();
    private final Map<Integer, Mr> regions = new HashMap<>();
    private final Map<Integer, VerbsObject> numbered = new HashMap<>();
    private final Map<VerbsObject, End> ends = new HashMap<>();
    private int next = 16;
    private long clock;

    MemoryRegion region(ProtectionDomain pd, ByteBuffer buffer, int access) {
        return region(pd, (long) (next + 1) << 32, buffer.slice(), access);
    }

    /** Memory by another address. */
    Mr region(ProtectionDomain pd, long addr, ByteBuffer memory, int access) {
        Mr mr = new Mr(pd, addr, memory, access, ++next);
        regions.put(next, mr);
        return mr;
    }

    /** Memory that is registered already. */
    MemoryRegion again(ProtectionDomain pd, long addr, long length, long iova, int access) {
        for (Mr mr : regions.values()) {
            if (mr.memory != null && addr - mr.addr() >= 0 && addr + length <= mr.addr() + mr.length()) {
                ByteBuffer part = mr.memory.duplicate().position((int) (addr - mr.addr()));
                return region(pd, iova, part.limit(part.position() + (int) length).slice(), access);
            }
        }
        throw new VerbsException(Errno.EFAULT, "reg_mr", "this memory is not registered");
    }

    Mr region(int key) {
        return regions.get(key);
    }

    /** A region whose key is not the next number. */
    Mr put(Mr mr) {
        next++;
        regions.put(mr.lkey(), mr);
        return mr;
    }

    boolean forgetKey(int key) {
        return regions.remove(key) != null;
    }

    CompletionQueue cq(Context context, int cqe, Object userContext, CompletionChannel channel) {
        return keep(new Cq(this, context, cqe, userContext, channel));
    }

    <T extends CompletionQueue> T keep(T cq) {
        completions.put(cq, new ArrayDeque<>());
        return cq;
    }

    /** What is to be polled. */
    Queue<Done> done(CompletionQueue cq) {
        return completions.get(cq);
    }

    private void complete(CompletionQueue cq, long wrId, int opcode, int length, int qpNum) {
        Done one = new Done();
        one.wrId = wrId;
        one.opcode = opcode;
        one.length = length;
        one.qpNum = qpNum;
        one.at = clock();
        done(cq).add(one);
    }

    /** The next time: later than all before it. */
    long clock() {
        return ++clock << CLOCK_SHIFT;
    }

    SharedReceiveQueue srq(ProtectionDomain pd, SrqInitAttr attr) {
        return keep(new Srq(this, pd, attr), new End());
    }

    /** A queue pair; its number is the next. */
    QueuePair qp(ProtectionDomain pd, QpInitAttr attr) {
        return keep(new Qp(this, pd, attr, next + 1), attr.cap(), attr.sqSigAll());
    }

    <T extends VerbsObject> T keep(T handle, End end) {
        ends.put(handle, end);
        numbered.put(++next, handle);
        return handle;
    }

    <T extends QueuePair> T keep(T qp, QpCap cap, boolean signalAll) {
        End end = new End();
        end.cap = cap;
        end.signalAll = signalAll;
        end.cq = qp.recvCq();
        if (qp.srq() != null) {
            end.from = ends.get(qp.srq()).receives;
        }
        return keep(qp, end);
    }

    int nextNumber() {
        return next + 1;
    }

    /** A shared receive queue that sends name, with a completion queue of its own. */
    <T extends SharedReceiveQueue> T keepNamed(T srq, CompletionQueue cq) {
        End end = new End();
        end.cq = cq;
        return keep(srq, end);
    }

    int number(VerbsObject handle) {
        for (Map.Entry<Integer, VerbsObject> entry : numbered.entrySet()) {
            if (entry.getValue() == handle) {
                return entry.getKey();
            }
        }
        return -1;
    }

    void forget(VerbsObject handle) {
        ends.remove(handle);
        numbered.values().remove(handle);
        regions.values().removeIf(mr -> mr == handle);
    }

    void modify(QueuePair qp, QpAttr attr, int mask) {
        End end = ends.get(qp);
        if ((mask & QpAttrMask.STATE) != 0) {
            end.state = attr.qpState();
        }
        if ((mask & QpAttrMask.DEST_QPN) != 0) {
            end.peer = attr.destQpNum();
        }
    }

    int state(QueuePair qp) {
        return ends.get(qp).state;
    }

    QpCap cap(QueuePair qp) {
        return ends.get(qp).cap;
    }

    int receive(VerbsObject handle, RecvWorkRequest wr) {
        ends.get(handle).from.add(new RecvWorkRequest().wrId(wr.wrId()).sgList(wr.sgList()));
        return 0;
    }

    int post(QueuePair qp, SendWorkRequest wr, SendWorkRequest[] badWr) {
        int errno = send(qp, wr);
        if (errno != 0 && badWr != null) {
            badWr[0] = wr;
        }
        return errno;
    }

    /** One request; what has a list is no business of the matrix. */
    private int send(QueuePair qp, SendWorkRequest wr) {
        lastFlags = wr.sendFlags();
        End end = ends.get(qp);
        byte[] bytes = gather(wr.sgList(), wr.numSge());
        int opcode = wr.opcode();
        if (opcode == WrOpcode.RDMA_WRITE) {
            Mr target = regions.get(wr.rkey());
            if (target == null || (target.access() & AccessFlags.REMOTE_WRITE) == 0) {
                return Errno.EINVAL;
            }
            target.memory.duplicate().position((int) (wr.remoteAddr() - target.addr())).put(bytes);
            writes.forEach(one -> one.accept(qp, numbered.get(end.peer)));
        } else if (opcode == WrOpcode.SEND) {
            End remote = ends.get(numbered.get(target(wr, end)));
            RecvWorkRequest receive = remote == null ? null : remote.from.poll();
            if (receive == null) {
                return Errno.EAGAIN;
            }
            scatter(bytes, receive.sgList(), receive.numSge());
            complete(remote.cq, receive.wrId(), WcOpcode.RECV, bytes.length, end.peer);
        } else {
            int errno = later(wr);
            if (errno != 0) {
                return errno;
            }
        }
        if (end.signalAll || (wr.sendFlags() & SendFlags.SIGNALED) != 0) {
            complete(qp.sendCq(), wr.wrId(), completed(opcode), 0, qp.qpNum());
        }
        return 0;
    }

    /** An operation that came with a later level. */
    int later(SendWorkRequest wr) {
        return Errno.EOPNOTSUPP;
    }

    int completed(int opcode) {
        return opcode == WrOpcode.SEND ? WcOpcode.SEND : WcOpcode.RDMA_WRITE;
    }

    /** The number of the queue that a send is for. */
    int target(SendWorkRequest wr, End end) {
        return end.peer;
    }

    private byte[] gather(ScatterGatherElement[] elements, int count) {
        ByteBuffer all = ByteBuffer.allocate(1 << 20);
        for (int i = 0; i < count; i++) {
            all.put(at(elements[i]));
        }
        byte[] bytes = new byte[all.flip().remaining()];
        all.get(bytes);
        return bytes;
    }

    private void scatter(byte[] bytes, ScatterGatherElement[] elements, int count) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        for (int i = 0; i < count && from.hasRemaining(); i++) {
            ByteBuffer to = at(elements[i]);
            int part = Math.min(to.remaining(), from.remaining());
            to.put(from.slice().limit(part));
            from.position(from.position() + part);
        }
    }

    private ByteBuffer at(ScatterGatherElement element) {
        return at(element.lkey(), element.addr(), element.length());
    }

    final ByteBuffer at(int key, long addr, int length) {
        Mr mr = regions.get(key);
        if (mr.memory == null) {
            return ByteBuffer.allocate(length); // nobody sees it again
        }
        ByteBuffer memory = mr.memory.duplicate().position((int) (addr - mr.addr()));
        return memory.limit(memory.position() + length).slice();
    }

    /** Memory that is null is that of the null region. */
    static final class Mr extends MemoryRegion {
        private final ByteBuffer memory;

        Mr(ProtectionDomain pd, long addr, ByteBuffer memory, int access, int key) {
            super(pd, addr, memory == null ? -1 : memory.capacity(), access, key, key);
            this.memory = memory;
        }
    }

    /** What is done, to be polled. */
    static final class Done {
        long wrId;
        int opcode;
        int length;
        int qpNum;
        long at;

        void tell(WorkCompletion wc) {
            wc.wrId(wrId).status(WcStatus.SUCCESS).opcode(opcode).byteLen(length).qpNum(qpNum);
        }
    }

    static final class Cq extends CompletionQueue {
        private final Loop loop;

        Cq(Loop loop, Context context, int cqe, Object userContext, CompletionChannel channel) {
            super(context, cqe, userContext, channel);
            this.loop = loop;
        }

        @Override
        public int poll(int numEntries, WorkCompletion[] wc) {
            Queue<Done> done = loop.done(this);
            int count = 0;
            while (count < numEntries && !done.isEmpty()) {
                done.remove().tell(wc[count++]);
            }
            return count;
        }

        @Override
        public int reqNotify(boolean solicitedOnly) {
            return 0;
        }
    }

    private static final class Qp extends QueuePair {
        private final Loop loop;

        Qp(Loop loop, ProtectionDomain pd, QpInitAttr attr, int number) {
            super(pd, attr, number);
            this.loop = loop;
        }

        @Override
        public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
            return loop.post(this, wr, badWr);
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return loop.receive(this, wr);
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            return Errno.EOPNOTSUPP;
        }
    }

    private static final class Srq extends SharedReceiveQueue {
        private final Loop loop;

        Srq(Loop loop, ProtectionDomain pd, SrqInitAttr attr) {
            super(pd, attr);
            this.loop = loop;
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return loop.receive(this, wr);
        }
    }
}
