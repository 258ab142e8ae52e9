/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.Mtu;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.testsupport.Patience;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

/**
 * What both sides see of a message does not depend on the way it takes: completions in order, asynchronous events and
 * states.
 */
class EveryWayTest {
    private static final int MANY = 20_000;
    private static final long PATIENCE = Patience.NANOS;

    private static final String OK = "; ; RTS";
    private static final String INVALID = "1 remote invalid request error; ; ERR";
    private static final String NO_ACCESS = "1 remote access error; ; ERR";
    private static final String TOLD_INVALID = "; invalid request local work queue error; ERR";
    private static final String TOLD_ACCESS = "; local access violation work queue error; ERR";
    private static final String FLUSHED = "1 Work Request Flushed Error";

    /** Devices by the ways available here. */
    private static final Map<EveryWay, TestContext> DEVICES = new EnumMap<>(EveryWay.class);

    @BeforeAll
    static void openDevices() {
        for (EveryWay way : EveryWay.values()) {
            try {
                DEVICES.put(way, way.open());
            } catch (TestAbortedException e) {
                assertThat(way).isEqualTo(EveryWay.ONE_COPY);
            }
        }
    }

    @AfterAll
    static void closeDevices() {
        DEVICES.values().forEach(TestContext::close);
        DEVICES.clear();
    }

    /** What is done with the sender, {@code a}, and the receiver, {@code b}. */
    private interface Act {
        void on(ObservedEnd a, ObservedEnd b);
    }

    /** Settings, requests, and what each side sees of them. */
    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    private enum Situation {
        LARGER_MTU_THERE(mtu(Mtu.MTU_256, Mtu.MTU_1024), sends(MANY), INVALID, FLUSHED + TOLD_INVALID),
        SMALLER_MTU_THERE(mtu(Mtu.MTU_4096, Mtu.MTU_256), sends(MANY), INVALID, FLUSHED + TOLD_INVALID),
        PACKET_BEYOND_MTU(mtu(Mtu.MTU_4096, Mtu.MTU_256), sends(257), INVALID, FLUSHED + TOLD_INVALID),
        TWO_PACKETS_IN_PLACE_OF_ONE(mtu(Mtu.MTU_256, Mtu.MTU_4096), sends(257), INVALID, FLUSHED + TOLD_INVALID),
        PACKET_WITHIN_BOTH_MTUS(mtu(Mtu.MTU_4096, Mtu.MTU_256), sends(256), "1 sent" + OK, "1 received 256" + OK),
        WRITE_WITH_OTHER_MTU(mtu(Mtu.MTU_256, Mtu.MTU_1024), remote(WrOpcode.RDMA_WRITE, MANY), INVALID, TOLD_INVALID),
        SHORT_WRITE_WITH_OTHER_MTU(
                mtu(Mtu.MTU_1024, Mtu.MTU_256), remote(WrOpcode.RDMA_WRITE, 300), INVALID, TOLD_INVALID),
        WRITE_WITHIN_BOTH_MTUS(mtu(Mtu.MTU_1024, Mtu.MTU_256), remote(WrOpcode.RDMA_WRITE, 200), "1 sent" + OK, OK),
        READ_WITH_LARGER_MTU_THERE(
                mtu(Mtu.MTU_256, Mtu.MTU_1024), remote(WrOpcode.RDMA_READ, MANY), "1 bad response error; ; ERR", OK),
        READ_WITH_SMALLER_MTU_THERE(
                mtu(Mtu.MTU_1024, Mtu.MTU_256), remote(WrOpcode.RDMA_READ, 300), "1 bad response error; ; ERR", OK),
        READ_WITHIN_BOTH_MTUS(mtu(Mtu.MTU_1024, Mtu.MTU_256), remote(WrOpcode.RDMA_READ, 256), "1 sent" + OK, OK),
        UC_WITH_OTHER_MTU(
                QpType.UC,
                mtu(Mtu.MTU_256, Mtu.MTU_1024),
                (a, b) -> {
                    b.recv(1, MANY);
                    a.post(a.request(WrOpcode.SEND, 1, MANY, b));
                    a.post(a.request(WrOpcode.SEND, 2, 100, b));
                },
                "1 sent, 2 sent" + OK,
                "1 received 100" + OK),

        WRITE_NOT_GRANTED(grants(AccessFlags.REMOTE_READ), remote(WrOpcode.RDMA_WRITE, 8), INVALID, TOLD_INVALID),
        LONG_WRITE_NOT_GRANTED(
                grants(AccessFlags.REMOTE_READ), remote(WrOpcode.RDMA_WRITE, MANY), INVALID, TOLD_INVALID),
        EMPTY_WRITE_NOT_GRANTED(grants(0), remote(WrOpcode.RDMA_WRITE, 0), INVALID, TOLD_INVALID),
        WRITE_WITH_IMMEDIATE_NOT_GRANTED(
                grants(0),
                (a, b) -> {
                    b.recv(1, 0);
                    a.post(a.request(WrOpcode.RDMA_WRITE_WITH_IMM, 1, 8, b));
                },
                INVALID,
                FLUSHED + TOLD_INVALID),
        READ_NOT_GRANTED(grants(AccessFlags.REMOTE_WRITE), remote(WrOpcode.RDMA_READ, 8), INVALID, TOLD_INVALID),
        EMPTY_READ_NOT_GRANTED(grants(AccessFlags.REMOTE_WRITE), remote(WrOpcode.RDMA_READ, 0), INVALID, TOLD_INVALID),
        SWAP_NOT_GRANTED(
                grants(AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ),
                remote(WrOpcode.ATOMIC_CMP_AND_SWP, 8),
                INVALID,
                TOLD_INVALID),
        MASKED_ADD_NOT_GRANTED(
                grants(AccessFlags.REMOTE_WRITE),
                remote(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 8),
                INVALID,
                TOLD_INVALID),
        ATOMIC_WRITE_NOT_GRANTED(
                grants(AccessFlags.REMOTE_READ), remote(WrOpcode.ATOMIC_WRITE, 0), INVALID, TOLD_INVALID),
        UC_WRITE_NOT_GRANTED(
                QpType.UC,
                grants(0),
                (a, b) -> {
                    b.recv(1, 0);
                    a.post(a.request(WrOpcode.RDMA_WRITE_WITH_IMM, 1, 8, b));
                    a.post(a.request(WrOpcode.SEND_WITH_IMM, 2, 0, b).immData(5));
                },
                "1 sent, 2 sent" + OK,
                "1 received 0 with 5" + OK),
        NO_READS_TAKEN(as((a, b) -> b.destRdAtomic = 0), remote(WrOpcode.RDMA_READ, 8), INVALID, TOLD_INVALID),

        WRITE_BY_WRONG_KEY(as(), wrongKey(WrOpcode.RDMA_WRITE), NO_ACCESS, TOLD_ACCESS),
        READ_BY_WRONG_KEY(as(), wrongKey(WrOpcode.RDMA_READ), NO_ACCESS, TOLD_ACCESS),
        ADD_BY_WRONG_KEY(as(), wrongKey(WrOpcode.ATOMIC_FETCH_AND_ADD), NO_ACCESS, TOLD_ACCESS),
        WRITE_BEYOND_REGION(
                as(),
                (a, b) -> a.post(a.request(WrOpcode.RDMA_WRITE, 1, MANY, b)
                        .remoteAddr(b.mr.addr() + ObservedEnd.BYTES - MANY + 1)),
                NO_ACCESS,
                TOLD_ACCESS),
        WRITE_TO_REGION_WITHOUT_RIGHT(
                as(),
                (a, b) -> {
                    b.recv(1, 0);
                    a.post(a.request(WrOpcode.RDMA_WRITE_WITH_IMM, 1, 8, b)
                            .rkey(b.region(AccessFlags.LOCAL_WRITE).rkey()));
                },
                NO_ACCESS,
                FLUSHED + TOLD_ACCESS),
        LIST_WITH_BAD_WRITE(
                as(),
                (a, b) -> a.post(a.request(WrOpcode.RDMA_WRITE, 0, 8, b)
                        .next(a.request(WrOpcode.RDMA_WRITE, 1, 8, b)
                                .rkey(b.mr.rkey() + 1)
                                .next(a.request(WrOpcode.RDMA_WRITE, 2, 8, b)))),
                "0 sent, 1 remote access error, 2 Work Request Flushed Error; ; ERR",
                TOLD_ACCESS),

        RECEIVE_TOO_SMALL(as(), receivesAndSends(99, 100), INVALID, "1 local length error; ; ERR"),
        LONG_RECEIVE_TOO_SMALL(as(), receivesAndSends(MANY - 1, MANY), INVALID, "1 local length error; ; ERR"),
        RECEIVE_BY_WRONG_KEY(
                as(),
                (a, b) -> {
                    b.recv(1, ScatterGatherElement.of(b.mr, 0, 100).lkey(b.mr.lkey() + 1));
                    a.post(a.request(WrOpcode.SEND, 1, 100, b));
                },
                "1 remote operation error; ; ERR",
                "1 local protection error; ; ERR"),
        RECEIVE_WITHOUT_LOCAL_WRITE(
                as(),
                (a, b) -> {
                    b.recv(1, ScatterGatherElement.of(b.region(0), 0, MANY));
                    a.post(a.request(WrOpcode.SEND, 1, MANY, b));
                },
                "1 remote operation error; ; ERR",
                "1 local protection error; ; ERR"),
        SEND_BY_WRONG_KEY(
                as(),
                (a, b) -> {
                    b.recv(1, 100);
                    a.post(a.request(WrOpcode.SEND, 1, 100, b)
                            .sgList(ScatterGatherElement.of(a.mr, 0, 100).lkey(a.mr.lkey() + 1)));
                },
                "1 local protection error; ; ERR",
                OK),
        INVALIDATES_WRONG_KEY(
                as(),
                (a, b) -> {
                    b.recv(1, 100);
                    b.recv(2, 100);
                    a.post(a.request(WrOpcode.SEND_WITH_INV, 1, 100, b).invalidateRkey(b.mr.rkey()));
                },
                "1 sent" + OK,
                "1 remote invalid request error, 2 Work Request Flushed Error; ; ERR"),
        UC_RECEIVE_TOO_SMALL(QpType.UC, as(), receivesAndSends(MANY - 1, MANY), "1 sent" + OK, OK),
        UD_RECEIVE_TOO_SMALL(
                QpType.UD,
                as(),
                (a, b) -> {
                    b.recv(1, 139);
                    a.post(a.request(WrOpcode.SEND, 1, 100, b));
                    a.post(a.request(WrOpcode.SEND, 2, 99, b));
                    a.post(a.request(WrOpcode.SEND, 3, 99, b));
                },
                "1 sent, 2 sent, 3 sent" + OK,
                "1 received 139" + OK),
        UD_WRONG_QKEY(
                QpType.UD,
                as(),
                (a, b) -> {
                    b.recv(1, 200);
                    a.post(a.request(WrOpcode.SEND, 1, 100, b).remoteQkey(8));
                    a.post(a.request(WrOpcode.SEND, 2, 99, b));
                },
                "1 sent, 2 sent" + OK,
                "1 received 139" + OK),

        NEVER_READY(
                as((a, b) -> a.rnrRetry = 1),
                (a, b) -> {
                    a.post(a.request(WrOpcode.SEND, 1, 100, b));
                    a.post(a.request(WrOpcode.RDMA_WRITE, 2, 100, b));
                },
                "1 RNR retry counter exceeded, 2 Work Request Flushed Error; ; ERR",
                OK),
        NEVER_READY_FOR_IMMEDIATE(
                as((a, b) -> a.rnrRetry = 0),
                (a, b) -> a.post(a.request(WrOpcode.RDMA_WRITE_WITH_IMM, 1, 100, b)),
                "1 RNR retry counter exceeded; ; ERR",
                OK),
        READY_LATE(
                as(),
                (a, b) -> {
                    a.post(a.request(WrOpcode.SEND, 1, MANY, b));
                    pause();
                    b.recv(1, MANY);
                },
                "1 sent" + OK,
                "1 received " + MANY + OK),
        NO_ANSWER(
                as(),
                (a, b) -> {
                    b.modify(QpState.RESET);
                    a.post(a.request(WrOpcode.SEND, 1, 100, b));
                },
                "1 transport retry counter exceeded; ; ERR",
                "; ; RESET"),
        PSN_AHEAD(
                as((a, b) -> a.firstPsn = ObservedEnd.PSN + 5),
                receivesAndSends(100, 100),
                "1 transport retry counter exceeded; ; ERR",
                OK),

        /** Nobody has moved the receiver to RTS: it is notified of the first message before the error that follows. */
        REFUSED_AT_RTR(
                QpType.RC,
                as(),
                (a, b) -> a.post(a.request(WrOpcode.RDMA_WRITE, 1, 100, b).rkey(b.mr.rkey() + 1)),
                NO_ACCESS,
                "; communication established, local access violation work queue error; ERR",
                false),

        DRAINED_WITH_NOTHING_TO_DO(as(), (a, b) -> a.drain(), "; send queue drained; SQD", OK),
        DRAINS_WHILE_ONE_WAITS(
                as(),
                (a, b) -> {
                    a.post(a.request(WrOpcode.SEND, 1, 100, b));
                    pause();
                    a.drain();
                    a.post(a.request(WrOpcode.SEND, 2, 100, b));
                    pause();
                    assertThat(a.seen()).isEqualTo("; ; SQD");
                    b.recv(1, 100);
                    b.recv(2, 100);
                },
                "1 sent; send queue drained; SQD",
                "1 received 100" + OK),
        DRAINS_WHAT_WAS_BEGUN(
                as(),
                (a, b) -> {
                    a.post(a.request(WrOpcode.SEND, 1, 100, b)
                            .next(a.request(WrOpcode.RDMA_WRITE, 2, 100, b)
                                    .next(a.request(WrOpcode.RDMA_READ, 3, 100, b))));
                    pause();
                    a.drain();
                    b.recv(1, 100);
                },
                "1 sent, 2 sent, 3 sent; send queue drained; SQD",
                "1 received 100" + OK),
        FENCE_IS_NOT_BEGUN_BEHIND_READ(
                as(),
                (a, b) -> {
                    a.post(a.request(WrOpcode.SEND, 1, 100, b)
                            .next(a.request(WrOpcode.RDMA_READ, 2, 100, b)
                                    .next(a.request(WrOpcode.RDMA_WRITE, 3, 100, b)
                                            .sendFlags(SendFlags.SIGNALED | SendFlags.FENCE))));
                    pause();
                    a.drain();
                    b.recv(1, 100);
                },
                "1 sent, 2 sent; send queue drained; SQD",
                "1 received 100" + OK),
        GOES_ON_AFTER_DRAINING(
                as(),
                (a, b) -> {
                    a.drain();
                    a.post(a.request(WrOpcode.SEND, 1, 100, b));
                    b.recv(1, 100);
                    a.modify(QpState.RTS);
                },
                "1 sent; send queue drained; RTS",
                "1 received 100" + OK),
        WAITS_IN_VAIN_WHILE_DRAINING(
                as((a, b) -> {
                    a.rnrRetry = 3;
                    b.minRnrTimer = 26; // 82 ms each: the queue drains before they are over
                }),
                (a, b) -> {
                    a.post(a.request(WrOpcode.SEND, 1, 100, b));
                    a.drain();
                },
                "1 RNR retry counter exceeded; ; ERR",
                OK),

        BEYOND_THE_LONGEST(
                as(),
                (a, b) -> a.post(a.request(WrOpcode.RDMA_WRITE, 1, 0, b)
                        .sgList(
                                ScatterGatherElement.of(a.mr, 0, 1).length(Integer.MAX_VALUE),
                                ScatterGatherElement.of(a.mr, 0, 2))),
                "1 refused: 22" + OK,
                OK),
        TOO_LONG_FOR_ITS_REGION(
                as(),
                (a, b) -> a.post(a.request(WrOpcode.RDMA_WRITE, 1, 0, b)
                        .sgList(ScatterGatherElement.of(a.mr, 0, 1).length(Integer.MAX_VALUE))),
                "1 local protection error; ; ERR",
                OK),
        UC_END_OF_LIST_BY_WRONG_KEY(
                QpType.UC,
                as(),
                (a, b) -> {
                    b.recv(1, MANY);
                    a.post(a.request(WrOpcode.SEND, 1, 0, b)
                            .sgList(
                                    ScatterGatherElement.of(a.mr, 0, MANY - 10),
                                    ScatterGatherElement.of(a.mr, 0, 10).lkey(a.mr.lkey() + 1)));
                },
                "1 local protection error; ; SQE",
                OK);

        final int type;
        final Act settings;
        final Act act;
        final String sender;
        final String receiver;
        final boolean both;

        Situation(Act settings, Act act, String sender, String receiver) {
            this(QpType.RC, settings, act, sender, receiver);
        }

        Situation(int type, Act settings, Act act, String sender, String receiver) {
            this(type, settings, act, sender, receiver, true);
        }

        /** If {@code both} is false, the receiver stays in RTR. */
        Situation(int type, Act settings, Act act, String sender, String receiver, boolean both) {
            this.type = type;
            this.settings = settings;
            this.act = act;
            this.sender = sender;
            this.receiver = receiver;
            this.both = both;
        }
    }

    private static Act as() {
        return (a, b) -> {};
    }

    private static Act as(Act settings) {
        return settings;
    }

    private static Act mtu(int here, int there) {
        return (a, b) -> {
            a.mtu = here;
            b.mtu = there;
        };
    }

    private static Act grants(int rights) {
        return (a, b) -> b.access = rights;
    }

    private static Act sends(int bytes) {
        return receivesAndSends(MANY, bytes);
    }

    private static Act receivesAndSends(int room, int bytes) {
        return (a, b) -> {
            b.recv(1, room);
            a.post(a.request(WrOpcode.SEND, 1, bytes, b));
        };
    }

    private static Act remote(int opcode, int bytes) {
        return (a, b) -> {
            SendWorkRequest wr = a.request(opcode, 1, bytes, b);
            a.post(opcode == WrOpcode.ATOMIC_WRITE ? wr.sgList(new ScatterGatherElement[0]) : wr);
        };
    }

    private static Act wrongKey(int opcode) {
        return (a, b) -> a.post(a.request(opcode, 1, 8, b).rkey(b.mr.rkey() + 1));
    }

    private static void pause() {
        LockSupport.parkNanos(5_000_000);
    }

    @ParameterizedTest
    @EnumSource
    void bothSidesSeeSameResultEveryWay(Situation situation) {
        String expected = "sender: " + situation.sender + "\nreceiver: " + situation.receiver;
        DEVICES.forEach((way, device) ->
                assertThat(seen(situation, way, device, expected)).as("%s", way).isEqualTo(expected));
    }

    private static String seen(Situation situation, EveryWay way, TestContext device, String expected) {
        try (ObservedEnd a = new ObservedEnd(device, situation.type);
                ObservedEnd b = new ObservedEnd(device, situation.type)) {
            situation.settings.on(a, b);
            a.toRtr(b);
            b.toRtr(a);
            a.toRts();
            if (situation.both) {
                b.toRts();
            }
            way.await(device);
            situation.act.on(a, b);
            long end = System.nanoTime() + PATIENCE;
            String seen = "";
            for (int turn = 0; !seen.equals(expected) && System.nanoTime() < end; turn++) {
                Patience.pause(turn);
                seen = "sender: " + a.seen() + "\nreceiver: " + b.seen();
            }
            LockSupport.parkNanos(1_000_000); // for anything unexpected
            return "sender: " + a.seen() + "\nreceiver: " + b.seen();
        }
    }
}
