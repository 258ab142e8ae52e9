/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Errors are reported in completions, and the connection continues. */
@ParameterizedClass
@EnumSource(Strategy.class)
class BulkErrorsTest {
    private static Pair pair;
    private static BulkRing ring;
    private static BulkBuffer mine;
    private static BulkBuffer theirs;

    @Parameter
    Strategy strategy;

    @BeforeParameterizedClassInvocation
    static void open(Strategy by) {
        pair = new Pair(by);
        ring = pair.aRing;
        mine = pair.a.allocate(1 << 16);
        theirs = pair.b.allocate(1 << 16);
    }

    @AfterParameterizedClassInvocation
    static void close() {
        pair.close();
    }

    private static long put(long window, long remoteOffset, long length) {
        int i = ring.next();
        ring.put(i, pair.toB, mine, 0, window, remoteOffset, length, 1);
        ring.submit();
        return result();
    }

    private static long result() {
        return pair.next(pair.aDone).result();
    }

    private static void assertErrno(int errno, Runnable call, String... words) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContainingAll(words);
    }

    @Test
    void windowChecksBoundsAndRights() {
        BulkWindow window = theirs.window(100, 50, BulkWindow.WRITE);
        assertThat(put(window.id(), 0, 50)).isEqualTo(50);
        assertThat(put(window.id(), 50, 0)).isZero();
        assertThat(put(window.id(), 1, 50)).isEqualTo(-Errno.ERANGE);
        assertThat(put(window.id(), -1, 50)).isEqualTo(-Errno.ERANGE);
        assertThat(put(window.id(), Long.MAX_VALUE, 50)).isEqualTo(-Errno.ERANGE);
        int i = ring.next();
        ring.get(i, pair.toB, mine, 0, window.id(), 0, 8, 2);
        ring.submit();
        assertThat(result()).isEqualTo(-Errno.EACCES);
        BulkWindow readable = theirs.window(0, 50, BulkWindow.READ);
        assertThat(put(readable.id(), 0, 8)).isEqualTo(-Errno.EACCES);
        assertThat(put(window.id(), 0, 50)).as("the connection still works").isEqualTo(50);
    }

    @Test
    void revokedAndUnknownWindowsAreStale() {
        assertThat(put(12345, 0, 8)).isEqualTo(-Errno.ESTALE);
        BulkWindow window = theirs.window(0, 50, BulkWindow.WRITE);
        assertThat(put(window.id(), 0, 8)).isEqualTo(8);
        assertErrno(Errno.EBUSY, theirs::close, "buffer", "windows");
        CompletableFuture<Void> revoked = window.revoke();
        pair.until(revoked::isDone);
        assertThat(put(window.id(), 0, 8)).isEqualTo(-Errno.ESTALE);
        assertThat(put(window.id(), 0, 8)).isEqualTo(-Errno.ESTALE);
    }

    /** Transfers in flight complete before the window is gone. */
    @Test
    void revokingWaitsForTransfers() {
        int length = 16 << 20;
        BulkBuffer large = pair.a.allocate(length);
        BulkBuffer target = pair.b.allocate(length);
        BulkWindow window = target.window(0, length, BulkWindow.WRITE);
        large.bytes().put(0, (byte) 1).put(length - 1, (byte) 1);
        int i = ring.next();
        ring.put(i, pair.toB, large, 0, window.id(), 0, length, 1);
        ring.submit();
        pair.until(() -> target.bytes().get(0) == 1);
        CompletableFuture<Void> revoked = window.revoke();
        pair.until(revoked::isDone);
        assertThat(target.bytes().get(length - 1)).isEqualTo((byte) 1);
        assertThat(pair.next(pair.aDone).result()).isEqualTo(length);
        target.close();
        large.close();
    }

    @Test
    void badEntriesFail() {
        int i = ring.next();
        ring.nop(i, 1);
        ring.flags(i, 128);
        ring.submit();
        assertThat(result()).isEqualTo(-Errno.EINVAL);

        BulkBuffer gone = pair.a.allocate(64);
        gone.close();
        i = ring.next();
        ring.send(i, pair.toB, 0, gone, 0, 8, 2);
        ring.submit();
        assertThat(result()).isEqualTo(-Errno.EINVAL);

        for (long[] part : new long[][] {{-1, 8}, {0, -1}, {mine.length(), 1}, {1, Long.MAX_VALUE}}) {
            i = ring.next();
            ring.send(i, pair.toB, 0, mine, part[0], part[1], 3);
            ring.submit();
            assertThat(result()).as("offset %d, length %d", part[0], part[1]).isEqualTo(-Errno.ERANGE);
        }

        i = ring.next();
        ring.copy(i, mine, 0, mine, 7, 8, 4);
        ring.submit();
        assertThat(result()).as("overlapping parts").isEqualTo(-Errno.EINVAL);
    }

    @Test
    void readOnlyMemoryIsNotWritten() {
        BulkBuffer constant = pair.a.register(ByteBuffer.allocateDirect(64).asReadOnlyBuffer());
        BulkWindow window = theirs.window(0, 64, BulkWindow.READ);
        int i = ring.next();
        ring.get(i, pair.toB, constant, 0, window.id(), 0, 8, 1);
        ring.submit();
        assertThat(result()).isEqualTo(-Errno.EACCES);
        i = ring.next();
        ring.receive(i, pair.toB, 0, constant, 0, 8, 2);
        ring.submit();
        assertThat(result()).isEqualTo(-Errno.EACCES);
        i = ring.next();
        ring.copy(i, mine, 0, constant, 0, 8, 3);
        ring.submit();
        assertThat(result()).isEqualTo(-Errno.EACCES);
        assertErrno(Errno.EINVAL, () -> constant.window(0, 8, BulkWindow.WRITE), "read-only");
        assertThat(constant.bytes().isReadOnly()).isTrue();
    }

    /** The sender of a long message gets the error; a short one has completed before. */
    @Test
    void tooLongMessageFailsAndIsLost() {
        for (int length : new int[] {100, 10_000}) {
            int i = ring.next();
            ring.send(i, pair.toB, 9, mine, 0, length, 1);
            ring.submit();
            i = pair.bRing.next();
            pair.bRing.receive(i, pair.toA, 9, theirs, 0, length - 1, 2);
            pair.bRing.submit();
            assertThat(pair.next(pair.bDone).result()).isEqualTo(-Errno.EMSGSIZE);
            assertThat(result()).isEqualTo(length > 4032 ? -Errno.EMSGSIZE : length);
        }
    }

    @Test
    void failingCallsExplainReason() {
        assertErrno(Errno.EINVAL, BulkConfig::of, "no context");
        assertErrno(Errno.EINVAL, () -> BulkConfig.of(pair.aContext).withSlots(7), "slots is 7", "8 to 4096");
        assertErrno(Errno.EINVAL, () -> pair.a.ring(3), "entries is 3", "power of two");
        assertErrno(Errno.EINVAL, () -> pair.a.allocate(0), "length is 0");
        assertErrno(Errno.EINVAL, () -> pair.a.register(ByteBuffer.allocate(8)), "direct");
        assertErrno(Errno.EINVAL, () -> pair.a.address(), "does not listen");
        assertErrno(Errno.ERANGE, () -> mine.window(1, mine.length(), BulkWindow.READ), "not inside");
        assertErrno(Errno.EINVAL, () -> mine.window(0, 8, 4), "rights are 4");
        assertErrno(
                Errno.ECONNREFUSED,
                () -> pair.a.connect(new InetSocketAddress("localhost", 1), 10, TimeUnit.SECONDS),
                "localhost");
    }
}
