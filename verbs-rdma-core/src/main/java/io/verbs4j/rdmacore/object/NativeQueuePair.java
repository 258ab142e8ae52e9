/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.call.NativeFunction;
import io.verbs4j.rdmacore.event.EventCount;
import io.verbs4j.rdmacore.layout.QpLayout;
import io.verbs4j.rdmacore.marshal.SendArea;
import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.Pin;
import io.verbs4j.rdmacore.memory.RegionTable;

/**
 * A queue pair of a native device. A post writes up to 32 work requests into memory of the queue pair's own and hands them to
 * the driver in one call.
 *
 * <p>The driver looks at no state before it posts, so what the verb must refuse is refused here.
 */
public class NativeQueuePair extends QueuePair implements EventTarget {
    private static final int BATCH = 32;

    private final long address;
    private final NativeFunction postSend;
    private final WindowBind windows;
    private final RegionTable regions;
    private final ReceivePost receives;
    private final int maxSendWr;
    private final int maxSendSge;
    private final EventCount asyncEvents = new EventCount();
    private final Pin pin = new Pin();
    private final Object sendLock = new Object();
    private volatile int state = QpState.RESET;
    private SendArea area;
    private boolean closed;

    /** Makes the handle of a {@code struct ibv_qp}; the attributes hold the capacities that were given. */
    public NativeQueuePair(
            Context context, QpInitAttrEx attr, long address, ContextFunctions functions, RegionTable regions) {
        super(context, attr, numberOf(address));
        QpCap cap = attr.cap();
        this.address = address;
        this.postSend = functions.postSend();
        this.windows = new WindowBind(functions);
        this.regions = regions;
        this.maxSendWr = cap.maxSendWr();
        this.maxSendSge = cap.maxSendSge();
        this.receives = new ReceivePost(
                functions.postRecv(), attr.srq() == null ? cap.maxRecvWr() : 0, cap.maxRecvSge(), false);
    }

    /** Makes another handle of a queue pair of an XRC domain. */
    public NativeQueuePair(
            Context context, QpOpenAttr attr, long address, ContextFunctions functions, RegionTable regions) {
        super(context, attr);
        this.address = address;
        this.postSend = null;
        this.windows = new WindowBind(functions);
        this.regions = regions;
        this.maxSendWr = 0;
        this.maxSendSge = 0;
        this.receives = new ReceivePost(null, 0, 0, false);
    }

    private static int numberOf(long address) {
        return NativeMemory.getInt(address + QpLayout.QP_NUM);
    }

    @Override
    public final long address() {
        return address;
    }

    @Override
    public final EventCount asyncEvents() {
        return asyncEvents;
    }

    @Override
    public final Pin pin() {
        return pin;
    }

    /** The number that completions name it by. */
    public int number() {
        return qpNum();
    }

    /** The state that was set last. */
    protected final int state() {
        return state;
    }

    /**
     * Refuses a verb that can't be done at this time; the default has nothing to refuse.
     *
     * @throws VerbsException {@link Errno#EBUSY} where the calling thread keeps the queues in use between two calls
     */
    public void requireIdle(String verb) {}

    /**
     * Changes the state. Nobody posts while a queue pair goes to RESET: what the driver would take once it has forgotten its queues
     * would be in them again, and found by the device when it is ready anew.
     *
     * @param modify has the device change it; where it throws, all stays as it was
     */
    public final void change(int newState, Runnable modify) {
        if (newState != QpState.RESET) {
            modify.run();
            whileNobodyPosts(() -> state(newState));
            return;
        }
        whileNobodyPosts(() -> {
            modify.run();
            dropCompletions();
            state(newState);
        });
    }

    /** Keeps posts waiting. */
    protected void whileNobodyPosts(Runnable body) {
        synchronized (sendLock) {
            receives.whileNobodyPosts(body);
        }
    }

    /** Takes note of a state that was set, while nobody posts. */
    protected void state(int newState) {
        state = newState;
        receives.open(newState != QpState.RESET);
    }

    @Override
    public int postSend(SendWorkRequest first, SendWorkRequest[] badWr) {
        synchronized (sendLock) {
            if (first == null || closed || state < QpState.RTS || maxSendWr == 0) {
                return BadWr.tell(first, badWr, Errno.EINVAL);
            }
            if (postSend == null) {
                return BadWr.tell(first, badWr, Errno.EOPNOTSUPP);
            }
            if (area == null) {
                area = new SendArea(Math.min(maxSendWr, BATCH), maxSendSge, qpType(), pd(), regions);
            }
            SendWorkRequest wr = first;
            while (wr != null) {
                SendWorkRequest head = wr;
                int n = 0;
                while (wr != null && n < area.capacity() && area.put(n, wr)) {
                    n++;
                    wr = wr.next();
                }
                if (n == 0) {
                    return BadWr.tell(wr, badWr, Errno.EINVAL);
                }
                area.end(n - 1);
                int error = Answers.errno(postSend.call(address, area.first(), area.badWr()));
                area.unpin();
                if (error != 0) {
                    return BadWr.tell(BadWr.nth(head, area.badIndex()), badWr, error);
                }
            }
            return 0;
        }
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return receives.post(address, wr, badWr);
    }

    @Override
    public int bindMw(MemoryWindow mw, MwBind bind) {
        synchronized (sendLock) {
            return closed || state < QpState.RTS ? Errno.EINVAL : windows.bind(this, mw, bind);
        }
    }

    /** Takes out of its completion queues what it has left there, once it is destroyed or in RESET. */
    public final void dropCompletions() {
        drop(sendCq());
        if (recvCq() != sendCq()) {
            drop(recvCq());
        }
    }

    private void drop(CompletionQueue cq) {
        if (cq != null) { // type XRC_RECV has none
            ((NativeCompletionQueue) cq).dropCompletionsOf(this);
        }
    }

    /** Destroys the queue pair; it stays as it was where that fails. Its events were given back. */
    public void destroy() {
        synchronized (sendLock) {
            receives.close(() -> Answers.check("destroy_qp", Libibverbs.ibv_destroy_qp(address)));
            closed = true;
            if (area != null) {
                area.free();
                area = null;
            }
        }
    }
}
