/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.CompletionQueue;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqState;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.WqLayout;
import java.util.function.IntConsumer;

/**
 * A {@code struct ibv_wq}, its state, and posting to it. libmlx5 begins with an empty queue whenever one goes from RESET to RDY, so what
 * was posted in RESET would be lost: it is refused here.
 */
public class IbvWq extends IbvObject {
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

    /** Posts a list; 0 or an errno. */
    protected int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return receives.post(address(), wr, badWr);
    }

    /** Keeps posts waiting. It is no lock that a thread could take twice. */
    protected void whileNobodyPosts(Runnable body) {
        receives.whileNobodyPosts(body);
    }

    /** Takes note of whether receives can be posted, while nobody posts. */
    protected void open(boolean value) {
        receives.open(value);
    }

    /** The queue begins anew: what it has left is forgotten. Nobody posts meanwhile. */
    protected void beginsAnew() {
        forgetCompletions(wqNum());
    }

    /**
     * Destroys the C object, while nobody posts; nothing can be posted from then on. All stays as it was where that
     * throws.
     */
    protected void close(Runnable destroy) {
        receives.close(destroy);
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
                () -> whileNobodyPosts(() -> {
                    boolean anew = state == WqState.RESET && newState == WqState.RDY;
                    modify.run();
                    if (anew) {
                        beginsAnew();
                    }
                    state(newState);
                }));
    }

    private void state(int newState) {
        state = newState;
        open(newState != WqState.RESET);
        handle.accept(newState);
    }

    /** The state that was set last, or that an event has told. */
    public int state() {
        return state;
    }

    /** An event says that it has failed. */
    public void failed() {
        whileNobodyPosts(() -> state(WqState.ERR));
    }

    private void forgetCompletions(int number) {
        ((NativeCompletionQueue) cq).ibv.forgetKept(number);
    }

    /** Destroys the queue; it stays as it was where that fails. */
    public void destroy(Runnable destroy) {
        int number = wqNum();
        IbvQp.holding("destroy_wq", cq, () -> close(destroy));
        forgetCompletions(number);
    }
}
