/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendFlags;
import io.verbs4j.bulk.control.ControlLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One side of a connection over a model network, with the events it has received. */
final class ModelEnd implements DatagramUser {
    static final int SLOTS = 128;
    static final int SLOT_BYTES = 8192;
    static final int DEPTH = 64;
    static final int WINDOW = 64;
    private static final int RECEIVES = 96;
    private static final long BASE = 1L << 20;

    /** An arrival: a message or a value. */
    record Arrival(ByteBuffer message, int value) {}

    /** A completion. */
    record Sent(int number, int status) {}

    final ModelMemory memory = new ModelMemory();
    final ModelWire wire;
    final DatagramPosts posts;
    final Map<Integer, byte[]> targets = new HashMap<>();
    final List<Arrival> arrivals = new ArrayList<>();
    final List<Sent> sents = new ArrayList<>();
    final List<Integer> failures = new ArrayList<>();
    final long token;
    int flushedSlots;

    /** Statuses that the device has failed requests with. */
    final List<Integer> statuses = new ArrayList<>();

    /** Runs after each arrival. */
    Runnable onArrival = () -> {};

    /** Flag of the next writes. */
    int fence;

    /** Whether slots of received messages are not posted again. */
    boolean keepsSlots;

    private final ByteBuffer slotBytes;
    private final Map<Integer, Long> sources = new HashMap<>();
    private int number;

    ModelEnd(ModelNetwork network, long token, int mtu, boolean reliable) {
        this.token = token;
        wire = new ModelWire(network, memory, mtu, RECEIVES, reliable);
        wire.targets = targets;
        slotBytes = ByteBuffer.allocate(SLOTS * SLOT_BYTES + DEPTH * ControlLayout.SIZE)
                .order(ByteOrder.LITTLE_ENDIAN);
        DatagramSlots slots = new DatagramSlots(slotBytes, BASE, SLOT_BYTES, SLOTS);
        posts = new DatagramPosts(wire, slots, this, new DatagramSettings(token, DEPTH, WINDOW), () -> network.now);
        for (int i = 0; i < SLOTS; i++) {
            postSlot(i);
        }
        if (posts.prepare() != 0) {
            throw new AssertionError("no receives");
        }
    }

    void postSlot(int slot) {
        if (posts.receive(new RecvWorkRequest().wrId(1L << 40 | slot)) != 0) {
            throw new AssertionError("no room for slot " + slot);
        }
    }

    private int signaled(int request) {
        return request % 3 == 0 ? 0 : SendFlags.SIGNALED;
    }

    /** Returns false if there was no room. */
    boolean write(int key, int at, byte... bytes) {
        long address = memory.add(bytes);
        int errno = posts.write(number, signaled(number) | fence, 0, address, bytes.length, key, at);
        return done(errno, address);
    }

    boolean tell(int key, int at, int value, byte... bytes) {
        long address = memory.add(bytes);
        int errno = posts.writeAndTell(number, signaled(number), 0, address, bytes.length, key, at, value);
        return done(errno, address);
    }

    /** Returns the destination of the bytes, or null if there was no room. */
    byte[] read(int key, int at, int length) {
        byte[] bytes = new byte[length];
        long address = memory.add(bytes);
        int errno = posts.read(number, signaled(number), 0, address, length, key, at);
        return done(errno, address) ? bytes : null;
    }

    /** The first 64 bytes are the header. */
    boolean send(byte... message) {
        long address = memory.add(Arrays.copyOfRange(message, ControlLayout.SIZE, message.length));
        int header = SLOTS * SLOT_BYTES + number % DEPTH * ControlLayout.SIZE;
        byte[] before = new byte[ControlLayout.SIZE];
        slotBytes.get(header, before);
        slotBytes.put(header, message, 0, ControlLayout.SIZE);
        int length = message.length - ControlLayout.SIZE;
        int errno = posts.send(
                number, signaled(number), 0, BASE + header, ControlLayout.SIZE, 0, length == 0 ? 0 : address, length);
        if (errno != 0) {
            slotBytes.put(header, before);
        }
        return done(errno, address);
    }

    private boolean done(int errno, long address) {
        if (errno != 0) {
            memory.remove(address);
            return false;
        }
        sources.put(number++, address);
        return true;
    }

    int requests() {
        return number;
    }

    /** Passes completions on and lets the connection send. */
    void turn() {
        List<ModelWire.Completion> completions = List.copyOf(wire.completions);
        wire.completions.clear();
        for (ModelWire.Completion completion : completions) {
            if (completion.receive()) {
                posts.arrived(completion.place(), completion.status(), completion.length());
            } else {
                posts.completed(completion.place(), completion.status());
            }
        }
        posts.advance();
    }

    @Override
    public void sent(int request, int status) {
        sents.add(new Sent(request, status));
        for (int i = 0; i <= request; i++) {
            Long address = sources.remove(i);
            if (address != null) {
                memory.remove(address); // belongs to the program from now on
            }
        }
    }

    @Override
    public void received(int slot, int status, boolean told, int immediate, int length) {
        if (status != 0) {
            flushedSlots++;
            return;
        }
        byte[] message = new byte[length];
        slotBytes.get(slot * SLOT_BYTES, message);
        arrivals.add(new Arrival(told ? null : ByteBuffer.wrap(message), immediate));
        onArrival.run();
        if (!keepsSlots) {
            postSlot(slot);
        }
    }

    @Override
    public boolean place(int key, long address, ByteBuffer from, int at, int length) {
        byte[] target = targets.get(key);
        if (target == null || address < 0 || address > target.length - length) {
            return false;
        }
        from.get(at, target, (int) address, length);
        return true;
    }

    @Override
    public void active() {
        // each turn advances
    }

    @Override
    public void failedBy(int status) {
        statuses.add(status);
        posts.fail();
    }

    @Override
    public void failed(int errno) {
        failures.add(errno);
        posts.fail();
    }
}
