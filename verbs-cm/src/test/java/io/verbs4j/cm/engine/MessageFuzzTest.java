/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpState;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.testsupport.Full;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Modified kernel messages, with valid or similar ids and flipped bits, from the right address and others, while
 * programs on this side are active. Nothing is thrown, no end receives impossible events, and nothing is left over.
 */
@Full
class MessageFuzzTest {
    private static final int MESSAGES = Integer.getInteger("io.verbs4j.cm.fuzz.messages", 40_000);
    private static final int BACKLOG = 8;

    /** Maximum number of a program's ends at a time, besides listeners. */
    private static final int MOST_ENDS = 40;

    private static final int[] PORTS = {7174, 7471};
    private static final int[] ID_PLACES = {Mad.DATA, Mad.DATA + 4};

    private final List<Captured.Message> corpus = new ArrayList<>(Captured.MESSAGES.values());
    private final List<SimNet.Told> listeners = new ArrayList<>();
    private final List<SimNet.Told> ends = new ArrayList<>();
    private final List<Integer> ids = new ArrayList<>(List.of(0, 1, -1));
    private Random random;
    private SimNet net;
    private SimNet.Node peer;
    private SimNet.Node here;
    private SimNet.Node stranger;
    private long taken;
    private long told;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void mutatedMessagesDoNotHarmEngine(int seed) {
        random = new Random(seed);
        net = new SimNet(seed);
        peer = net.node("10.7.0.1");
        here = net.node("10.7.0.2");
        stranger = net.node("10.7.0.3");
        peer.deaf = true;
        stranger.deaf = true;
        listen();
        for (int i = 0; i < MESSAGES; i++) {
            Mad mad = message();
            SimNet.Node from = random.nextInt(10) == 0 ? stranger : peer;
            here.engine.received(from.gid, here.gid, mad.b);
            if (random.nextInt(3) == 0) {
                program();
            }
            if (random.nextInt(20) == 0) {
                net.run(random.nextInt(2000));
            }
            learn();
        }
        assertThat(taken).as("accepted requests").isGreaterThan(MESSAGES / 400);
        assertThat(told).as("events").isGreaterThan(MESSAGES / 100);
        for (SimNet.Told one : listeners) {
            one.end.close();
            one.children.forEach(child -> child.end.close());
        }
        ends.forEach(one -> one.end.close());
        net.run(600_000);
        assertThat(here.engine.size()).isZero();
        listen();
        conversation();
    }

    private void listen() {
        listeners.clear();
        for (int port : PORTS) {
            for (int space : new int[] {PortSpace.TCP, PortSpace.UDP}) {
                SimNet.Told one = new SimNet.Told();
                one.end = here.end(space, one);
                one.end.bind(new InetSocketAddress(port));
                one.end.listen(BACKLOG);
                listeners.add(one);
            }
        }
    }

    // ---- messages

    private Mad message() {
        Mad mad = new Mad(corpus.get(random.nextInt(corpus.size())).buffer());
        if (random.nextInt(4) != 0) {
            for (int place : ID_PLACES) {
                mad.b.putInt(place, ids.get(random.nextInt(ids.size())));
            }
        }
        if (mad.attribute() == Mad.REQ && random.nextInt(3) != 0) {
            mad.localId(random.nextInt());
            new Req(mad.b).qpNum(random.nextInt(1 << 24));
        }
        if (mad.attribute() == Mad.DREQ && random.nextBoolean()) {
            new Dreq(mad.b).remoteQpNum(1);
        }
        if (random.nextInt(3) == 0) {
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                int at = random.nextInt(random.nextBoolean() ? Mad.LENGTH : Mad.DATA + 16);
                mad.b.put(at, (byte) (mad.b.get(at) ^ 1 << random.nextInt(8)));
            }
        }
        if (random.nextInt(50) == 0) {
            mad.b.putShort(16, (short) (Mad.REQ + random.nextInt(12)));
        }
        return mad;
    }

    /** Collects the engine's own ids, which a peer knows. */
    private void learn() {
        for (Mad mad : here.sent) {
            ids.add(mad.localId());
        }
        here.sent.clear();
        peer.seen.clear();
        stranger.seen.clear();
        if (ids.size() > 200) {
            ids.subList(3, ids.size() - 100).clear();
        }
    }

    // ---- actions of programs

    private void program() {
        for (SimNet.Told listener : listeners) {
            assertThat(listener.children).hasSizeLessThanOrEqualTo(BACKLOG);
            taken += listener.children.size();
            for (SimNet.Told child : listener.children) {
                ends.add(child);
                act(child);
            }
            listener.children.clear();
            listener.events.clear();
        }
        if (ends.size() < MOST_ENDS / 2) {
            ends.add(connecting());
        }
        for (SimNet.Told end : ends) {
            isPossible(end);
        }
        Collections.shuffle(ends, random);
        while (ends.size() > MOST_ENDS) {
            ends.remove(0).end.close();
        }
        if (!ends.isEmpty()) {
            act(ends.get(random.nextInt(ends.size())));
        }
        assertThat(here.engine.connectionCount()).isLessThan(2000);
    }

    private SimNet.Told connecting() {
        SimNet.Told one = new SimNet.Told();
        int space = random.nextBoolean() ? PortSpace.TCP : PortSpace.UDP;
        one.end = here.end(space, one);
        one.end.resolveAddress(null, peer.at(PORTS[random.nextInt(PORTS.length)]), 1);
        one.end.resolveRoute(1);
        one.end.connect(ConnParam.DEFAULT.withQpNum(1));
        return one;
    }

    private void act(SimNet.Told one) {
        Endpoint end = one.end;
        try {
            switch (random.nextInt(6)) {
                case 0, 1 -> end.accept(ConnParam.DEFAULT.withQpNum(1));
                case 2 -> end.reject(28, new byte[random.nextInt(10)]);
                case 3 -> end.establish();
                case 4 -> end.disconnect();
                default -> {
                    assertThat(end.qpAttr(QpState.RTS).timeout()).isBetween(0, 31);
                    end.communicationEstablished();
                }
            }
        } catch (VerbsException e) {
            assertThat(e.getMessage()).isNotEmpty(); // wrong state
        }
    }

    private void isPossible(SimNet.Told one) {
        List<Integer> types = one.types();
        told += types.size();
        for (int type : new int[] {
            CmEventType.ESTABLISHED, CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT, CmEventType.CONNECT_RESPONSE
        }) {
            assertThat(Collections.frequency(types, type))
                    .as(CmEventType.toString(type) + " of " + types)
                    .isLessThanOrEqualTo(1);
        }
        int exit = types.indexOf(CmEventType.TIMEWAIT_EXIT);
        assertThat(exit).as(types.toString()).isIn(-1, types.size() - 1);
        if (types.contains(CmEventType.DISCONNECTED)) {
            assertThat(types).doesNotContain(CmEventType.REJECTED, CmEventType.UNREACHABLE);
        }
    }

    // ---- afterwards

    private void conversation() {
        here.engine.received(peer.gid, here.gid, Captured.message("rping.req").buffer());
        Endpoint child = listeners.get(0).children.get(0).end;
        child.accept(ConnParam.DEFAULT.withQpNum(0x11));
        int id = here.sent.get(here.sent.size() - 1).localId();
        for (String name : new String[] {"rping.rtu", "rping.dreq"}) {
            ByteBuffer message = Captured.message(name).buffer();
            message.putInt(Mad.DATA + 4, id);
            here.engine.received(peer.gid, here.gid, message);
        }
        assertThat(listeners.get(0).children.get(0).types())
                .containsExactly(CmEventType.ESTABLISHED, CmEventType.DISCONNECTED);
    }
}
