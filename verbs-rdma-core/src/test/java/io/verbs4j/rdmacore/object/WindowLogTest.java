/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.MwType;
import io.verbs4j.SendFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.PlainContext;
import io.verbs4j.rdmacore.layout.MwLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records of windows, on a device whose kernel would crash on a mistake. */
class WindowLogTest {
    private static final int KEY = 0x12345600;
    private static final int SIGNALED = SendFlags.SIGNALED;

    private final WindowBook book = new WindowBook(true);
    private final List<Long> memory = new ArrayList<>();
    private int looks;
    private final WindowLog first = log(1, book);
    private final WindowLog second = log(2, book);
    private final IbvMw window = window(KEY);

    @AfterEach
    void free() {
        memory.forEach(NativeMemory::free);
    }

    private WindowLog log(int number, WindowBook of) {
        return new WindowLog(of, () -> number, false, 4, () -> looks++);
    }

    private IbvMw window(int key) {
        long at = NativeMemory.allocate(MwLayout.SIZEOF);
        memory.add(at);
        NativeMemory.putInt(at + MwLayout.RKEY, key);
        IbvMw mw = new IbvMw(at);
        new NativeMemoryWindow(new NativeProtectionDomain(new PlainContext(), 0), MwType.TYPE_2, mw);
        book.add(mw);
        return mw;
    }

    private void bind(WindowLog on, int key, long id, int flags) {
        on.bind(window, key, id, flags);
        window.bound(key);
    }

    private void completes(int qpNum, long id, int opcode) {
        book.completed(new WorkCompletion().qpNum(qpNum).wrId(id).opcode(opcode));
    }

    private void fails(int qpNum, long id, int status) {
        book.completed(new WorkCompletion().qpNum(qpNum).wrId(id).status(status));
    }

    @Test
    void onlyKeysBoundByQueuePairAreInvalidated() {
        assertThat(first.invalidate(KEY, 1, SIGNALED)).as("never bound").isEqualTo(Errno.EINVAL);
        bind(first, KEY + 1, 1, SIGNALED);
        assertThat(first.invalidate(KEY, 2, SIGNALED)).as("the previous key").isEqualTo(Errno.EINVAL);
        assertThat(second.invalidate(KEY + 1, 2, SIGNALED)).as("elsewhere").isEqualTo(Errno.EINVAL);
        assertThat(first.canInvalidate(KEY + 1)).isTrue();
        assertThat(first.invalidate(KEY + 1, 2, SIGNALED)).isZero();
        assertThat(first.invalidate(KEY + 1, 3, SIGNALED)).as("twice").isEqualTo(Errno.EINVAL);
        assertThat(first.invalidate(0x77, 3, SIGNALED)).as("nobody's").isEqualTo(Errno.EINVAL);
        assertThat(looks).as("checks each time what the peer has done").isEqualTo(6);
    }

    @Test
    void invalidationByPeerFreesQueuePair() {
        bind(first, KEY + 1, 1, SIGNALED);
        completes(1, 1, WcOpcode.BIND_MW);
        book.completed(new WorkCompletion()
                .qpNum(9)
                .opcode(WcOpcode.RECV)
                .wcFlags(WcFlags.WITH_INV)
                .invalidatedRkey(KEY + 1));
        assertThat(first.invalidate(KEY + 1, 2, SIGNALED)).isEqualTo(Errno.EINVAL);
        assertThat(first.isHeld()).isFalse();
        bind(first, KEY + 2, 3, SIGNALED);
        book.takenBack(KEY + 1); // a late report
        assertThat(first.canInvalidate(KEY + 2)).isTrue();
    }

    @Test
    void queuePairIsHeldUntilKnownFree() {
        bind(first, KEY + 1, 1, SIGNALED);
        assertThat(first.isHeld()).isTrue();
        completes(1, 1, WcOpcode.BIND_MW);
        first.invalidate(KEY + 1, 2, SIGNALED);
        assertThat(first.isHeld()).as("not carried out yet").isTrue();
        completes(1, 3, WcOpcode.LOCAL_INV);
        completes(2, 2, WcOpcode.LOCAL_INV);
        assertThat(first.isHeld()).as("another request's completion").isTrue();
        completes(1, 2, WcOpcode.LOCAL_INV);
        assertThat(first.isHeld()).isFalse();
    }

    @Test
    void laterCompletionCoversUnsignaledRequests() {
        bind(first, KEY + 1, 1, 0);
        first.invalidate(KEY + 1, 2, 0);
        bind(first, KEY + 2, 3, 0);
        first.invalidate(KEY + 2, 4, SIGNALED);
        assertThat(first.isHeld()).isTrue();
        completes(1, 4, WcOpcode.LOCAL_INV);
        assertThat(first.isHeld()).isFalse();
    }

    @Test
    void successfulBindElsewhereFreesFirst() {
        bind(first, KEY + 1, 1, SIGNALED);
        first.invalidate(KEY + 1, 2, 0);
        bind(second, KEY + 2, 3, SIGNALED);
        assertThat(first.isHeld()).isTrue();
        completes(2, 3, WcOpcode.BIND_MW);
        assertThat(first.isHeld()).isFalse();
        assertThat(second.isHeld()).isTrue();
        book.remove(window);
        assertThat(second.isHeld()).isFalse();
    }

    @Test
    void failedBindKeepsKey() {
        bind(first, KEY + 1, 1, SIGNALED);
        fails(1, 1, WcStatus.MW_BIND_ERR);
        assertThat(window.rkey()).isEqualTo(KEY);
        assertThat(first.isHeld()).isFalse();
        bind(first, KEY + 2, 2, SIGNALED);
        fails(1, 2, WcStatus.WR_FLUSH_ERR);
        assertThat(window.rkey()).isEqualTo(KEY);
        assertThat(first.isHeld()).as("it may have been carried out").isTrue();
        assertThat(first.invalidate(KEY, 3, SIGNALED)).isEqualTo(Errno.EINVAL);
    }

    @Test
    void failedBindsInRowKeepFirstKey() {
        WindowBook sturdy = new WindowBook(false);
        WindowLog log = log(3, sturdy);
        bind(log, KEY + 1, 1, SIGNALED);
        bind(log, KEY + 2, 2, SIGNALED);
        bind(log, KEY + 3, 3, 0);
        log.failed(1, WcStatus.MW_BIND_ERR);
        assertThat(window.rkey())
                .as("the last bind is not known to have failed")
                .isEqualTo(KEY + 3);
        log.failed(2, WcStatus.WR_FLUSH_ERR);
        log.failed(3, WcStatus.WR_FLUSH_ERR);
        assertThat(window.rkey()).isEqualTo(KEY);
    }

    @Test
    void failedBindAfterSuccessKeepsLatestKey() {
        WindowBook sturdy = new WindowBook(false);
        WindowLog log = log(3, sturdy);
        bind(log, KEY + 1, 1, SIGNALED);
        bind(log, KEY + 2, 2, SIGNALED);
        assertThat(log.succeeded(1)).isEqualTo(WindowLog.BIND);
        log.failed(2, WcStatus.MW_BIND_ERR);
        assertThat(window.rkey()).isEqualTo(KEY + 1);
    }

    @Test
    void refusedRequestChangesNothing() {
        int mark = first.mark();
        first.bind(window, KEY + 1, 1, SIGNALED);
        first.undo(mark);
        assertThat(first.isHeld()).isFalse();
        assertThat(first.canInvalidate(KEY)).isFalse();
        bind(first, KEY + 1, 1, SIGNALED);
        mark = first.mark();
        first.invalidate(KEY + 1, 2, SIGNALED);
        bind(first, KEY + 2, 3, SIGNALED);
        first.undo(mark);
        assertThat(window.rkey()).isEqualTo(KEY + 1);
        assertThat(first.canInvalidate(KEY + 1)).isTrue();
    }

    @Test
    void resetForgetsOutstandingRequests() {
        bind(first, KEY + 1, 1, SIGNALED);
        first.reset();
        assertThat(first.invalidate(KEY + 1, 2, SIGNALED)).isEqualTo(Errno.EINVAL);
        assertThat(first.isHeld()).isTrue();
        book.remove(window);
        assertThat(first.isHeld()).isFalse();
    }

    @Test
    void type1BindsCompleteInOrder() {
        first.typeOne(5, SIGNALED);
        bind(first, KEY + 1, 5, SIGNALED);
        first.invalidate(KEY + 1, 5, SIGNALED);
        completes(1, 5, WcOpcode.BIND_MW);
        completes(1, 5, WcOpcode.BIND_MW);
        assertThat(first.isHeld()).isTrue();
        completes(1, 5, WcOpcode.LOCAL_INV);
        assertThat(first.isHeld()).isFalse();
    }

    /** No more requests can be outstanding than the queue has room for. */
    @Test
    void logSizeIsBounded() {
        for (long i = 0; i < 1000; i++) {
            int key = KEY + (int) i % 256;
            bind(first, key, 2 * i, 0);
            first.invalidate(key, 2 * i + 1, 0);
        }
        bind(first, KEY, 7777, SIGNALED);
        assertThat(first.succeeded(7777)).isEqualTo(WindowLog.BIND);
        assertThat(first.invalidate(KEY, 7778, SIGNALED)).isZero();
        assertThat(first.succeeded(7778)).isEqualTo(WindowLog.INVALIDATE);
        assertThat(first.isHeld()).isFalse();
    }

    @Test
    void sturdyDevicesValidateThemselves() {
        WindowBook sturdy = new WindowBook(false);
        WindowLog log = log(3, sturdy);
        assertThat(log.invalidate(KEY, 1, SIGNALED)).isZero();
        assertThat(log.invalidate(KEY, 2, SIGNALED)).isZero();
        assertThat(looks).isZero();
        assertThat(log.succeeded(1)).isEqualTo(WindowLog.INVALIDATE);
        assertThat(log.isHeld()).isFalse();
    }
}
