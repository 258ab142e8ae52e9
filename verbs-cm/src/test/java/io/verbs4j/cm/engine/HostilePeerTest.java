/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.RejectReason;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests of a peer that is hostile: each field wrong in turn, and floods. */
class HostilePeerTest extends HostilePeer {
    /** Answers other than the reason of a REJ. */
    private static final int TAKEN = 0;

    private static final int SILENCE = -1;

    private record Change(Consumer<Req> what, int answer) {}

    /** Changes to a valid request, with the answers, which are those of Linux 6.1 unless a comment says otherwise. */
    private static final Map<String, Change> CHANGES = new LinkedHashMap<>();

    private static void change(String name, int answer, Consumer<Req> what) {
        CHANGES.put(name, new Change(what, answer));
    }

    static {
        change("nothing", TAKEN, r -> {});
        change("base version", SILENCE, r -> r.b.put(0, (byte) 2));
        change("class", SILENCE, r -> r.b.put(1, (byte) 4));
        change("class version", SILENCE, r -> r.b.put(2, (byte) 1));
        change("method GET", SILENCE, r -> r.b.put(3, (byte) 1));
        change("attribute LAP", SILENCE, r -> r.b.putShort(16, (short) 0x19));
        change("attribute 0", SILENCE, r -> r.b.putShort(16, (short) 0));
        change("MAD status", TAKEN, r -> r.b.putShort(4, (short) 0x1c));
        change("class specific", TAKEN, r -> r.b.putShort(6, (short) 0x1234));
        change("transaction id 0", TAKEN, r -> r.tid(0));
        change("attribute modifier", TAKEN, r -> r.b.putInt(20, 1));
        change("communication id 0", TAKEN, r -> r.localId(0));
        change("vendor id", TAKEN, r -> r.u24(5, 0x15b3));
        change("service of another port", RejectReason.INVALID_SERVICE_ID, r -> r.serviceId(0x0106_0001L));
        change("service with upper bits", RejectReason.INVALID_SERVICE_ID, r -> r.serviceId(1L << 40 | r.serviceId()));
        change("service of UDP, nobody there", RejectReason.INVALID_SERVICE_ID, r -> r.serviceId(0x0111_0001L));
        change("service of UDP", RejectReason.CONSUMER_DEFINED, r -> r.serviceId(ServiceId.of(PortSpace.UDP, PORT)));
        change("GUID 0", TAKEN, r -> r.caGuid(0));
        change("Q_Key", TAKEN, r -> r.qkey(1));
        change("queue pair 0", TAKEN, r -> r.qpNum(0));
        change("queue pair 1", TAKEN, r -> r.qpNum(1));
        change("responder resources 0", TAKEN, r -> r.responderResources(0));
        change("responder resources 255", TAKEN, r -> r.responderResources(255));
        change("initiator depth 0", TAKEN, r -> r.initiatorDepth(0));
        change("initiator depth 255", TAKEN, r -> r.initiatorDepth(255));
        change("EE context", TAKEN, r -> r.u24(36, 5));
        change("remote EE context", TAKEN, r -> r.u24(40, 5));
        change("remote response timeout 0", TAKEN, r -> r.remoteResponseTimeout(0));
        change("remote response timeout 31", TAKEN, r -> r.remoteResponseTimeout(31));
        change("end-to-end flow control", TAKEN, r -> r.endToEndFlowControl(1));
        change("extended transport of RC", TAKEN, r -> r.extendedTransport(1));
        change("transport UC", RejectReason.CONSUMER_DEFINED, r -> r.transport(1));
        change("transport RD", RejectReason.CONSUMER_DEFINED, r -> r.transport(2));
        change("transport XRC", RejectReason.CONSUMER_DEFINED, r -> r.transport(3));
        change("PSN 0", TAKEN, r -> r.startingPsn(0));
        change("local response timeout 0", TAKEN, r -> r.localResponseTimeout(0));
        change("local response timeout 31", TAKEN, r -> r.localResponseTimeout(31));
        change("retry count 0", TAKEN, r -> r.retryCount(0));
        change("RNR retry count 7", TAKEN, r -> r.rnrRetryCount(7));
        change("RDC", TAKEN, r -> r.bits(50, 3, 1, 1));
        change("maximum of CM retries 0", TAKEN, r -> r.maxCmRetries(0));
        change("shared receive queue", TAKEN, r -> r.srq(1));
        change("P_Key limited", TAKEN, r -> r.pkey(0x7fff));
        change("P_Key 0", RejectReason.INVALID_GID, r -> r.pkey(0));
        change("P_Key 0x8001", RejectReason.INVALID_GID, r -> r.pkey(0x8001));
        // Linux passes both to the program
        change("MTU 0", RejectReason.INVALID_MTU, r -> r.pathMtu(0));
        change("MTU 6", RejectReason.INVALID_MTU, r -> r.pathMtu(6));
        change("LIDs 0", TAKEN, r -> {
            r.localLid(0);
            r.remoteLid(0);
        });
        change("remote GID of another", RejectReason.INVALID_GID, r -> r.remoteGid(SimNet.gid("10.0.0.9")));
        change("local GID 0", RejectReason.INVALID_GID, r -> r.localGid(Gid.ZERO));
        // Linux sends its answer to that address
        change("local GID of another", RejectReason.INVALID_GID, r -> r.localGid(SimNet.gid("10.0.0.9")));
        change("flow label 0", TAKEN, r -> r.flowLabel(0));
        change("packet rate", TAKEN, r -> r.packetRate(63));
        change("traffic class", TAKEN, r -> r.trafficClass(0xff));
        change("hop limit 0", TAKEN, r -> r.hopLimit(0));
        change("hop limit 1", TAKEN, r -> r.hopLimit(1));
        change("hop limit 255", TAKEN, r -> r.hopLimit(255));
        change("service level", TAKEN, r -> r.sl(15));
        change("subnet local", TAKEN, r -> r.bits(94, 3, 1, 1));
        change("ACK timeout 31", TAKEN, r -> r.ackTimeout(31));
        change("ACK timeout 0", TAKEN, r -> r.ackTimeout(0));
        change("alternate path", RejectReason.INVALID_ALT_GID, r -> r.alternateLocalLid(0xffff));
        change("alternate path of the peer", RejectReason.INVALID_ALT_GID, r -> r.alternateRemoteLid(1));
        change("alternate GID alone", TAKEN, r -> r.b.putLong(Mad.DATA + 100, 1));
        change("CMA version", RejectReason.CONSUMER_DEFINED, r -> r.b.put(Mad.DATA + 140, (byte) 1));
        change("IP version 5", RejectReason.CONSUMER_DEFINED, r -> r.cmaHeader().ipVersion(5));
        change(
                "IP version 6 of an IPv4 address",
                RejectReason.CONSUMER_DEFINED,
                r -> r.cmaHeader().ipVersion(6));
        change("low bits of the IP version", TAKEN, r -> r.b.put(Mad.DATA + 141, (byte) 0x4f));
        change("source port 0", TAKEN, r -> r.cmaHeader().port(0));
        change("what is before an IPv4 address", TAKEN, r -> {
            r.b.putLong(Mad.DATA + 144, -1);
            r.b.putInt(Mad.DATA + 152, -1);
            r.b.putLong(Mad.DATA + 160, -1);
            r.b.putInt(Mad.DATA + 168, -1);
        });
        change("source 0", RejectReason.CONSUMER_DEFINED, r -> source(r, "0.0.0.0"));
        change("source loopback", RejectReason.CONSUMER_DEFINED, r -> source(r, "127.0.0.1"));
        change("source multicast", RejectReason.CONSUMER_DEFINED, r -> source(r, "224.0.0.1"));
        change("source of the same subnet", TAKEN, r -> source(r, "10.0.0.77"));
        change(
                "destination of another",
                RejectReason.CONSUMER_DEFINED,
                r -> r.cmaHeader().write(1, r.localGid(), SimNet.gid("10.0.0.9")));
    }

    private static void source(Req r, String ip) {
        r.cmaHeader().write(1, SimNet.gid(ip), r.remoteGid());
    }

    static Set<String> changes() {
        return CHANGES.keySet();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void changedRequestFieldGetsExpectedAnswer(String name) {
        Change change = CHANGES.get(name);
        Req req = good(1, 2);
        change.what.accept(req);
        send(peer, req);
        if (change.answer == TAKEN) {
            assertThat(told.types()).containsExactly(CmEventType.CONNECT_REQUEST);
            assertThat(peer.seen).isEmpty();
            // the result is usable by a queue pair of the device
            Endpoint child = told.children.get(0).end;
            assertThat(child.qpAttr(io.verbs4j.QpState.RTR).maxDestRdAtomic()).isBetween(0, 16);
            assertThat(child.qpAttr(io.verbs4j.QpState.RTS).maxRdAtomic()).isBetween(0, 16);
            assertThat(child.qpAttr(io.verbs4j.QpState.RTS).timeout()).isBetween(1, 31); // 0 would mean forever
            child.accept(ConnParam.DEFAULT.withQpNum(300));
            net.run(10);
            assertThat(peer.seen.get(0).attribute()).isEqualTo(Mad.REP);
        } else {
            assertThat(told.events).isEmpty();
            if (change.answer == SILENCE) {
                assertThat(peer.seen).isEmpty();
                assertThat(here.engine.dropped()).isEqualTo(1);
            } else {
                assertThat(peer.seen).hasSize(1);
                Rej rej = new Rej(peer.seen.get(0).b);
                assertThat(rej.attribute()).isEqualTo(Mad.REJ);
                assertThat(rej.reason()).isEqualTo(change.answer);
                assertThat(rej.remoteId()).isEqualTo(1);
                assertThat(rej.tid()).isEqualTo(77);
                assertThat(rej.infoLength()).isEqualTo(change.answer == RejectReason.INVALID_GID ? 16 : 0);
            }
            assertThat(here.engine.connectionCount()).isZero();
        }
    }

    /** Random bytes cause no exception and do not affect the connection. */
    @Test
    void randomBytesDoNotAffectConnection() {
        Connected c = connect();
        Random random = new Random(3);
        for (int i = 0; i < 20_000; i++) {
            Mad mad = new Mad(java.nio.ByteBuffer.allocate(Mad.LENGTH));
            random.nextBytes(mad.b.array());
            if (i % 4 != 0) {
                mad.b.putInt(0, 0x0107_0203);
                mad.b.putShort(16, (short) (0x10 + random.nextInt(9)));
            }
            here.engine.received(i % 2 == 0 ? peer.gid : stranger.gid, here.gid, mad.b);
        }
        assertThat(c.told().types()).containsExactly(CmEventType.ESTABLISHED);
        assertThat(told.children).hasSize(1);
    }

    @Test
    void pendingRequestsAreBoundedByBacklog() {
        for (int i = 0; i < 10_000; i++) {
            here.engine.received(peer.gid, here.gid, good(i + 1, i + 1).b);
        }
        assertThat(told.children).hasSize(BACKLOG);
        assertThat(here.engine.connectionCount()).isEqualTo(BACKLOG);
        assertThat(here.engine.dropped()).isEqualTo(10_000 - BACKLOG);
        // rejecting or closing makes room at once, accepting only when the peer confirms
        told.children.get(0).end.reject(28, new byte[0]);
        told.children.get(1).end.accept(ConnParam.DEFAULT);
        told.children.get(2).end.close();
        for (int i = 0; i < 100; i++) {
            here.engine.received(peer.gid, here.gid, good(100_000 + i, 100_000 + i).b);
        }
        assertThat(told.children).hasSize(BACKLOG + 2);
        confirm(2);
        here.engine.received(peer.gid, here.gid, good(200_000, 200_000).b);
        assertThat(told.children).hasSize(BACKLOG + 3);
    }

    /** A program that accepts at once, and peers that never confirm. */
    @Test
    void unconfirmedConnectionsAreBoundedByBacklog() {
        int accepted = 0;
        for (int i = 0; i < 10_000; i++) {
            here.engine.received(peer.gid, here.gid, good(i + 1, i + 1).b);
            for (; accepted < told.children.size(); accepted++) {
                told.children.get(accepted).end.accept(ConnParam.DEFAULT.withQpNum(300));
            }
        }
        assertThat(accepted).isEqualTo(BACKLOG);
        assertThat(here.engine.connectionCount()).isEqualTo(BACKLOG);
    }

    /**
     * A peer that occupies the whole backlog without confirming must soon make room for another address, and after a
     * second for its own.
     */
    @Test
    void unconfirmedConnectionsSoonMakeRoomForOthers() {
        for (int i = 0; i < BACKLOG; i++) {
            here.engine.received(peer.gid, here.gid, good(i + 1, i + 1).b);
            told.children.get(i).end.accept(ConnParam.DEFAULT.withQpNum(300));
        }
        Req other = SimNet.request(stranger.gid, here.gid, PORT, 5, 6);
        here.engine.received(stranger.gid, here.gid, copy(other));
        assertThat(told.children).hasSize(BACKLOG); // a peer may take a moment
        net.run(200);
        here.engine.received(stranger.gid, here.gid, copy(other));
        assertThat(told.children).hasSize(BACKLOG + 1);
        assertThat(told.children.get(0).types()).containsExactly(CmEventType.UNREACHABLE);
        assertThat(told.children.get(1).types()).isEmpty();
        here.engine.received(peer.gid, here.gid, good(100, 100).b);
        assertThat(told.children).hasSize(BACKLOG + 1); // it has more than its share
        net.run(1000);
        here.engine.received(peer.gid, here.gid, good(101, 101).b);
        assertThat(told.children).hasSize(BACKLOG + 2);
        assertThat(told.children.get(1).types()).containsExactly(CmEventType.UNREACHABLE);
        net.run(10);
        assertThat(peer.seen.stream().filter(mad -> mad.attribute() == Mad.REJ))
                .as("abandoned peers are notified")
                .hasSize(2);
    }

    @Test
    void acceptingAbandonedRequestIsAborted() {
        send(peer, good(1, 2));
        send(peer, givenUp(1));
        assertThatThrownBy(() -> told.children.get(0).end.accept(ConnParam.DEFAULT))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ECONNABORTED));
    }

    /**
     * A requester that gave up never learned an id of this side, so that way does not end an established connection.
     */
    @Test
    void establishedConnectionSurvivesRejectWithOneId() {
        Connected c = connect();
        send(peer, givenUp(1));
        assertThat(c.told().types()).containsExactly(CmEventType.ESTABLISHED);
        send(peer, good(3, 4));
        told.children.get(1).end.accept(ConnParam.DEFAULT.withQpNum(301));
        send(peer, givenUp(3));
        assertThat(told.children.get(1).types()).containsExactly(CmEventType.REJECTED);
    }

    /**
     * A peer that requests and gives up at once also causes events, but no more than the number of unanswered requests.
     */
    @Test
    void abandonedRequestsAreBoundedByBacklog() {
        for (int i = 0; i < 1000; i++) {
            here.engine.received(peer.gid, here.gid, good(i + 1, i + 1).b);
            here.engine.received(peer.gid, here.gid, givenUp(i + 1).b);
        }
        assertThat(told.children).hasSize(BACKLOG);
        assertThat(here.engine.connectionCount()).isZero();
        told.children.get(0).end.close();
        here.engine.received(peer.gid, here.gid, good(2000, 2000).b);
        assertThat(told.children).hasSize(BACKLOG + 1);
    }

    private static Rej givenUp(int id) {
        Rej rej = new Rej();
        rej.localId(id);
        rej.message(2);
        rej.reason(RejectReason.TIMEOUT);
        rej.infoGuid(0x1234);
        return rej;
    }

    @Test
    void abandonedRequestIsReportedAsRejected() {
        send(peer, good(1, 2));
        send(stranger, givenUp(1));
        assertThat(here.engine.connectionCount()).isEqualTo(1);
        send(peer, givenUp(1));
        assertThat(told.children.get(0).types()).containsExactly(CmEventType.REJECTED);
        assertThat(told.children.get(0).last().status()).isEqualTo(RejectReason.TIMEOUT);
        assertThat(here.engine.connectionCount()).isZero();
    }

    @Test
    void closingRequestOrListenerRejects() {
        send(peer, good(1, 2));
        told.children.get(0).end.close();
        net.run(10);
        assertThat(new Rej(peer.seen.get(0).b).reason()).isEqualTo(RejectReason.CONSUMER_DEFINED);
        listener.close();
        send(peer, good(3, 4));
        assertThat(new Rej(peer.seen.get(1).b).reason()).isEqualTo(RejectReason.INVALID_SERVICE_ID);
    }
}
