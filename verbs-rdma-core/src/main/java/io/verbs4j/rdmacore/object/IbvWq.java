/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.CompletionQueue;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqState;
import io.verbs4j.rdmacore.call.NativeFunction;
import io.verbs4j.rdmacore.layout.WqLayout;
import io.verbs4j.rdmacore.memory.NativeMemory;
import java.util.function.IntConsumer;

/**
 * A {@code struct ibv_wq}, its state, and posting to it. libmlx5 begins with an empty queue whenever one goes from RESET to RDY, so what
 * was posted in RESET would be lost: it is refused here.
 */
public final class IbvWq extends IbvObject {
    private final CompletionQueue cq;
    private final ReceivePost receives;
    private volatile int state = WqState.RESET;
    private IntConsumer handle;

    /** Of a {@code struct ibv_wq}; the attributes hold the capacities that were given. */
    public IbvWq(WqInitAttr attr, long address) {
        super(address);
        cq = attr.cq();
        long function = NativeMemory.getLong(address + WqLayout.POST_RECV);
        receives = new ReceivePost(
                function == 0 ? null : NativeFunction.data(function), attr.maxWr(), attr.maxSge(), false);
    }

    int wqNum() {
        return NativeMemory.getInt(address() + WqLayout.WQ_NUM);
    }

    void tellState(IntConsumer to) {
        handle = to;
    }

    int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return receives.post(address(), wr, badWr);
    }

    /**
     * Changes the queue, while nobody posts and nobody reads completions one by one: the driver takes those of this queue out when it
     * becomes ready anew.
     *
     * @param newState the state that it has then
     * @param modify has the device change it; where it throws, all stays as it was
     */
    public void change(String verb, int newState, Runnable modify) {
        IbvQp.holding(
                verb,
                cq,
                () -> receives.whileNobodyPosts(() -> {
                    boolean anew = state == WqState.RESET && newState == WqState.RDY;
                    modify.run();
                    if (anew) {
                        forgetCompletions();
                    }
                    state(newState);
                }));
    }

    private void state(int newState) {
        state = newState;
        receives.open(newState != WqState.RESET);
        handle.accept(newState);
    }

    /** The state that was set last, or that an event has told. */
    public int state() {
        return state;
    }

    /** An event says that it has failed. */
    public void failed() {
        receives.whileNobodyPosts(() -> state(WqState.ERR));
    }

    private void forgetCompletions() {
        ((NativeCompletionQueue) cq).ibv.forgetKept(wqNum());
    }

    /** Destroys the queue; it stays as it was where that fails. */
    public void destroy(Runnable destroy) {
        int number = wqNum();
        IbvQp.holding("destroy_wq", cq, () -> receives.close(destroy));
        ((NativeCompletionQueue) cq).ibv.forgetKept(number);
    }
}
