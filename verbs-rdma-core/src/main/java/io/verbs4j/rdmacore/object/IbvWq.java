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
 * A {@code struct ibv_wq}, its state, and posting to it. libmlx5 empties the queue at each change from RESET to RDY,
 * and receives posted in RESET would be lost, so they are rejected here.
 */
public class IbvWq extends IbvObject {
    private final CompletionQueue cq;
    private final ReceivePost receives;
    private volatile int state = WqState.RESET;
    private IntConsumer handle;

    /** Creates the object for a {@code struct ibv_wq}; the attributes hold the granted capacities. */
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

    /** Posts a list; returns 0 or an errno. */
    protected int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return receives.post(address(), wr, badWr);
    }

    /** Runs {@code body} while posts wait. Not reentrant. */
    protected void whileNobodyPosts(Runnable body) {
        receives.whileNobodyPosts(body);
    }

    /** Sets whether receives can be posted; called while no thread posts. */
    protected void open(boolean value) {
        receives.open(value);
    }

    /** Drops old completions when the queue starts again; called while no thread posts. */
    protected void beginsAnew() {
        forgetCompletions(wqNum());
    }

    /**
     * Destroys the C object while no thread posts, and rejects posts from then on. If {@code destroy} throws, nothing
     * changes.
     */
    protected void close(Runnable destroy) {
        receives.close(destroy);
    }

    /**
     * Changes the queue while no thread posts or reads completions in place: the driver removes the queue's completions
     * when it becomes ready again.
     *
     * @param newState the state after the change
     * @param modify changes the device's queue; if it throws, nothing changes
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

    /** {@return the state that was set last or reported by an event} */
    public int state() {
        return state;
    }

    /** Notes an event that reports a failure. */
    public void failed() {
        whileNobodyPosts(() -> state(WqState.ERR));
    }

    private void forgetCompletions(int number) {
        ((NativeCompletionQueue) cq).ibv.forgetKept(number);
    }

    /** Destroys the queue; if that fails, it stays as it was. */
    public void destroy(Runnable destroy) {
        int number = wqNum();
        IbvQp.holding("destroy_wq", cq, () -> close(destroy));
        forgetCompletions(number);
    }
}
