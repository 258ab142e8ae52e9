/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import io.verbs4j.WcStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A queue pair of a model network. As with UD, datagrams without a receive are lost. */
final class ModelWire implements Wire {
    private static final int GRH = 40;
    private static final long QUEUED = 3_000;
    private static final long LONGEST = 300_000;

    record Completion(boolean receive, int place, int status, int length) {}

    final ModelNetwork network;
    final ModelMemory memory;
    final List<Completion> completions = new ArrayList<>();

    /** Memory that the peer accesses by itself, by key. */
    Map<Integer, byte[]> targets = Map.of();

    /** Status of a request for memory that the peer does not have. */
    int refusal = WcStatus.REM_ACCESS_ERR;

    private final boolean lossless;
    private final int mtu;
    private final int places;

    /** Maximum number of datagrams in flight. */
    int sendPlaces;

    private final ByteBuffer headers;
    private final ByteBuffer received;
    private final ArrayDeque<Integer> receives = new ArrayDeque<>();
    ModelWire peer;
    boolean failed;

    /** Whether sends complete after a delay, not immediately. */
    boolean slow;

    /** Number of datagrams without a receive. */
    int notReady;

    int sent;

    /** Number of numbered packets that were sent before. */
    int repeated;

    private final Set<Integer> numbers = new HashSet<>();

    ModelWire(ModelNetwork network, ModelMemory memory, int mtu, int places, boolean lossless) {
        this.network = network;
        this.memory = memory;
        this.mtu = mtu;
        this.lossless = lossless;
        this.places = places;
        sendPlaces = places;
        headers = ByteBuffer.allocate(places * PacketSender.HEADER_STRIDE).order(ByteOrder.LITTLE_ENDIAN);
        received = ByteBuffer.allocate(places * (mtu + GRH)).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public ByteBuffer headers() {
        return headers;
    }

    @Override
    public ByteBuffer received() {
        return received;
    }

    @Override
    public int receivedAt(int place) {
        return place * (mtu + GRH) + GRH;
    }

    @Override
    public int sends() {
        return sendPlaces;
    }

    @Override
    public int receives() {
        return places;
    }

    @Override
    public boolean isLossless() {
        return lossless;
    }

    @Override
    public int write(int place, int lkey, long address, int length, int rkey, long remoteAddress) {
        reach(place, () -> {
            byte[] target = peer.targets.get(rkey);
            if (target != null) {
                memory.read(address, target, (int) remoteAddress, length);
            }
            return target != null;
        });
        return 0;
    }

    @Override
    public int read(int place, int lkey, long address, int length, int rkey, long remoteAddress) {
        reach(place, () -> {
            byte[] target = peer.targets.get(rkey);
            if (target != null) {
                memory.write(address, target, (int) remoteAddress, length);
            }
            return target != null;
        });
        return 0;
    }

    /** Runs an action later; the request fails if the peer has no such memory. */
    private void reach(int place, BooleanSupplier action) {
        network.later(network.random.nextLong(LONGEST), () -> {
            int status = failed ? WcStatus.WR_FLUSH_ERR : action.getAsBoolean() ? WcStatus.SUCCESS : refusal;
            completions.add(new Completion(false, place, status, 0));
        });
    }

    @Override
    public int mtu() {
        return mtu;
    }

    @Override
    public int send(int place, int headerLength, int lkey, long address, int length) {
        if (headerLength + length > mtu) {
            throw new AssertionError("a datagram of " + (headerLength + length) + " bytes");
        }
        sent++;
        int kind = headers.get(place * PacketSender.HEADER_STRIDE + PacketLayout.KIND);
        int number = headers.getInt(place * PacketSender.HEADER_STRIDE + PacketLayout.SEQUENCE);
        if ((kind == PacketLayout.WRITE || kind == PacketLayout.SEND) && !numbers.add(number)) {
            repeated++;
        }
        if (slow) {
            network.later(network.random.nextLong(QUEUED), () -> execute(place, headerLength, address, length));
        } else {
            execute(place, headerLength, address, length);
        }
        return 0;
    }

    private void execute(int place, int headerLength, long address, int length) {
        byte[] datagram = new byte[headerLength + length];
        headers.get(place * PacketSender.HEADER_STRIDE, datagram, 0, headerLength);
        if (length > 0) {
            memory.read(address, datagram, headerLength, length);
        }
        completions.add(new Completion(false, place, failed ? WcStatus.WR_FLUSH_ERR : WcStatus.SUCCESS, 0));
        if (!failed) {
            network.carry(datagram, peer);
        }
    }

    void take(byte[] datagram) {
        if (failed) {
            return;
        }
        Integer place = receives.poll();
        if (place == null) {
            notReady++;
            return;
        }
        received.put(receivedAt(place), datagram);
        completions.add(new Completion(true, place, WcStatus.SUCCESS, datagram.length));
    }

    @Override
    public int flush() {
        return 0;
    }

    @Override
    public int receive(int place) {
        if (receives.contains(place)) {
            throw new AssertionError("a receive is posted twice: " + place);
        }
        receives.add(place);
        return 0;
    }

    int posted() {
        return receives.size();
    }

    @Override
    public void fail() {
        failed = true;
    }
}
