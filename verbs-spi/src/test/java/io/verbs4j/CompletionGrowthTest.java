/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a completion grows: with the level of its reader, whatever the provider knows. */
class CompletionGrowthTest {
    private static final long BOTH = 1L << WorkCompletion.COMPLETION_TS | 1L << WorkCompletion.COMPLETION_WALLCLOCK_NS;

    private static final class Library extends Context {
        Library() {
            super(new Device("dev0", 1, NodeType.CA, TransportType.IB) {}, new OpenAttr());
        }

        @Override
        protected ContextOps libraryOps() {
            throw new AssertionError("not asked for here");
        }
    }

    /** A queue of a provider that knows only level 1. */
    private static class Old extends CompletionQueue {
        Old() {
            super(new Library(), 4, null, null);
        }

        @Override
        public int poll(int numEntries, WorkCompletion[] wc) {
            if (numEntries < 0) {
                return -Errno.EINVAL;
            }
            for (int i = 0; i < numEntries; i++) {
                wc[i].wrId(i);
            }
            return numEntries;
        }

        @Override
        public int reqNotify(boolean solicitedOnly) {
            return 0;
        }
    }

    /** A queue with time stamps. */
    private static final class New extends Old {
        @Override
        protected int pollEx(int numEntries, WorkCompletion[] wc, int wcSize) {
            for (int i = 0; i < numEntries; i++) {
                wc[i].expect(wcSize).wrId(i).completionTs(0).completionWallclockNs(70 + i);
            }
            return numEntries;
        }
    }

    private static WorkCompletion[] stale() {
        return new WorkCompletion[] {
            new WorkCompletion().completionTs(7).completionWallclockNs(8), new WorkCompletion().completionTs(9)
        };
    }

    @Test
    void oldProviderFillsNoLaterFields() {
        WorkCompletion[] wc = stale();
        assertEquals(BOTH, wc[0].compMask());

        assertEquals(1, new Old().poll(1, wc, WorkCompletion.SIZE));

        assertEquals(0, wc[0].compMask());
        assertEquals(0, wc[0].completionTs());
        assertEquals(0, wc[0].completionWallclockNs());
        assertEquals(9, wc[1].completionTs(), "beyond what was taken");
    }

    @Test
    void callerSizeLimitsFields() {
        WorkCompletion[] wc = stale();
        New cq = new New();

        assertEquals(2, cq.poll(2, wc, WorkCompletion.SIZE));
        assertEquals(BOTH, wc[1].compMask(), "a stamp of 0 counts");
        assertEquals(71, wc[1].completionWallclockNs());

        assertEquals(2, cq.poll(2, wc, 1));
        assertEquals(1L << WorkCompletion.COMPLETION_TS, wc[1].compMask());
        assertEquals(0, wc[1].completionWallclockNs());

        assertEquals(2, cq.poll(2, wc, 0));
        assertEquals(0, wc[1].compMask());
    }

    /** Those of packets follow those of time, and each is reported separately. */
    @Test
    void packetFieldsFollowTimeStamps() {
        WorkCompletion wc = new WorkCompletion().expect(WorkCompletion.SIZE);
        assertEquals(6, WorkCompletion.SIZE);
        assertEquals(0, wc.cvlan());
        assertEquals(0, wc.flowTag());
        wc.cvlan(0x123).flowTag(0);
        assertEquals(0x123, wc.cvlan());
        assertEquals(1L << WorkCompletion.CVLAN | 1L << WorkCompletion.FLOW_TAG, wc.compMask());
        wc.expect(WorkCompletion.CVLAN).cvlan(5).flowTag(6).completionTs(7);
        assertEquals(0, wc.cvlan(), "for a program of level 3");
        assertEquals(0, wc.flowTag());
        assertEquals(1L << WorkCompletion.COMPLETION_TS, wc.compMask());
        Old cq = new Old();
        assertThrows(VerbsException.class, cq::readCvlan);
        assertThrows(VerbsException.class, cq::readFlowTag);
    }

    /** The header at run time is never older than the program: a size above its own is not the size of a completion. */
    @Test
    void sizeBeyondHeaderFails() {
        for (int size : new int[] {WorkCompletion.SIZE + 1, 16, 1000, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
            WorkCompletion[] wc = stale();
            assertEquals(-Errno.EINVAL, new New().poll(1, wc, size), "of a provider of level 3");
            assertEquals(-Errno.EINVAL, new Old().poll(1, wc, size), "of an older provider");
            assertEquals(BOTH, wc[0].compMask(), "nothing was taken");
        }
    }

    @Test
    void errorsArePassedOn() {
        assertEquals(-Errno.EINVAL, new New().poll(1, stale(), -1));
        assertEquals(-Errno.EINVAL, new Old().poll(-1, stale(), 2));
    }

    @Test
    void readingOrdinaryQueueFails() throws Exception {
        CompletionQueue cq = new Old();
        assertEquals(0, cq.wcFlags());
        assertEquals(Errno.EOPNOTSUPP, cq.startPoll(null));
        assertEquals(Errno.EOPNOTSUPP, cq.nextPoll());
        assertEquals(Errno.EOPNOTSUPP, cq.endPoll());
        int readers = 0;
        for (Method method : CompletionQueue.class.getMethods()) {
            if (method.getName().matches("read[A-Z].*")
                    || List.of("wrId", "status").contains(method.getName())) {
                Throwable thrown = assertThrows(
                                InvocationTargetException.class,
                                () -> method.invoke(cq, new Object[method.getParameterCount()]))
                        .getCause();
                assertEquals(Errno.EOPNOTSUPP, ((VerbsException) thrown).errno(), method.getName());
                readers++;
            }
        }
        assertEquals(18, readers);
    }

    @Test
    void invalidatedKeyAndImmediateDataShareOneWord() {
        assertEquals(5, new WorkCompletion().invalidatedRkey(5).immData());
        assertEquals(6, new WorkCompletion().immData(6).invalidatedRkey());
    }

    /** The longest message has 2^31 bytes. */
    @Test
    void byteLengthIsUnsigned() {
        WorkCompletion longest = new WorkCompletion().byteLen(Integer.MIN_VALUE);
        assertEquals(1L << 31, Integer.toUnsignedLong(longest.byteLen()));
        assertTrue(longest.toString().contains("SEND of 2147483648 bytes"), longest.toString());
    }

    /** A channel of a provider of level 1. */
    @Test
    void wakingOldChannelFails() {
        CompletionChannel channel = new CompletionChannel(new Library()) {};
        VerbsException woken = assertThrows(VerbsException.class, channel::wakeup);
        assertEquals(Errno.EOPNOTSUPP, woken.errno());
        assertTrue(woken.getMessage().contains("use shorter timeouts"), woken.getMessage());
        VerbsException told = assertThrows(VerbsException.class, () -> channel.onEvent(() -> {}));
        assertEquals(Errno.EOPNOTSUPP, told.errno());
        assertTrue(told.getMessage().contains("use subscribe"), told.getMessage());
    }
}
