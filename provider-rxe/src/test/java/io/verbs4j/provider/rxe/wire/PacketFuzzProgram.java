/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * Feeds packets to {@link Packet#parse} and {@link Icrc#verify}: noise, well-formed packets, and well-formed packets
 * damaged or truncated. Any exception is a bug, and so is a view that reaches beyond the packet.
 *
 * <p>Short in the tests, long by hand: {@code java ... PacketFuzzProgram [packets] [seed]}.
 */
public final class PacketFuzzProgram {
    private static final int CAPACITY = 8192;
    private static final int OPCODES = 256;

    private final SplittableRandom random;
    private final ByteBuffer b = ByteBuffer.allocateDirect(CAPACITY);
    private final Packet packet = new Packet();
    private final Icrc icrc = new Icrc();
    private final long[] reasons = new long[Packet.REASON_COUNT];
    /** Keeps reads from being optimized away. */
    private long sink;

    private PacketFuzzProgram(long seed) {
        random = new SplittableRandom(seed);
    }

    /**
     * Feeds packets.
     *
     * @param packets number of packets
     * @param seed the same seed makes the same packets
     * @return how often each drop reason was returned, including {@link Packet#OK}
     */
    public static long[] run(long packets, long seed) {
        PacketFuzzProgram fuzz = new PacketFuzzProgram(seed);
        for (long i = 0; i < packets; i++) {
            fuzz.one();
        }
        if (fuzz.sink == Long.MIN_VALUE) {
            throw new AssertionError("so improbable that it counts as a bug");
        }
        return fuzz.reasons;
    }

    /**
     * The long run.
     *
     * @param args number of packets, seed
     */
    public static void main(String[] args) {
        long packets = args.length > 0 ? Long.parseLong(args[0]) : 100_000_000L;
        long seed = args.length > 1 ? Long.parseLong(args[1]) : System.nanoTime();
        System.out.println("seed " + seed);
        long[] reasons = run(packets, seed);
        for (int reason = 0; reason < reasons.length; reason++) {
            System.out.println(reasons[reason] + " " + Packet.reasonName(reason));
        }
    }

    private void one() {
        int offset = random.nextInt(64);
        int length = switch (random.nextInt(4)) {
            case 0 -> noise(offset);
            case 1 -> wellFormed(offset);
            case 2 -> damaged(offset);
            default -> cut(offset);
        };
        b.limit(Math.min(CAPACITY, offset + Math.max(length, 0)));
        int reason = packet.parse(b, offset, length);
        reasons[reason]++;
        if (reason == Packet.OK) {
            check(offset, length);
        }
        boolean fits = icrc.verify(b, offset, length, 0, random.nextLong(), 0, 0xffff_7f00_0001L, 4791, 4791);
        sink += fits ? 1 : 0;
        b.clear();
    }

    private int noise(int offset) {
        int length = random.nextInt(120) - 4;
        for (int i = 0; i < length; i += Long.BYTES) {
            b.putLong(offset + i, random.nextLong());
        }
        return length;
    }

    private int wellFormed(int offset) {
        int opcode;
        do {
            opcode = random.nextInt(OPCODES);
        } while (!Opcode.isKnown(opcode));
        int payload = random.nextInt(random.nextInt(100) == 0 ? 4097 : 64);
        return TestPackets.any(b, offset, opcode, payload, random) + Icrc.LENGTH;
    }

    private int damaged(int offset) {
        int length = wellFormed(offset);
        for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
            int at = offset + random.nextInt(Math.min(length, Bth.LENGTH));
            b.put(at, (byte) (b.get(at) ^ 1 << random.nextInt(8)));
        }
        return length;
    }

    private int cut(int offset) {
        return random.nextInt(-1, wellFormed(offset));
    }

    /** Reads everything that the opcode promises, and checks that it lies inside. */
    private void check(int offset, int length) {
        int opcode = packet.opcode();
        if (packet.payloadOffset() != offset + Opcode.headerLength(opcode)
                || packet.payloadLength() < 0
                || packet.padCount() < 0
                || packet.padCount() > 3
                || packet.payloadOffset() + packet.payloadLength() + packet.padCount() + Icrc.LENGTH
                        != offset + length) {
            throw new AssertionError(Opcode.name(opcode) + " of " + length + " bytes at " + offset);
        }
        sink += packet.psn() + packet.destQpn() + packet.pkey();
        sink += packet.ackReq() || packet.solicited() || packet.migReq() ? 1 : 0;
        sink += packet.xrcSrqNum();
        if (Opcode.hasReth(opcode)) {
            sink += packet.rethVa() + packet.rethRkey() + packet.rethLength();
        }
        if (Opcode.hasAtomicEth(opcode)) {
            sink += packet.atomicVa() + packet.atomicRkey() + packet.swapAdd() + packet.compare();
        }
        if (Opcode.hasDeth(opcode)) {
            sink += packet.qkey() + packet.srcQpn();
        }
        if (Opcode.hasAeth(opcode)) {
            sink += packet.aethSyndrome() + packet.aethMsn();
        }
        if (Opcode.hasAtomicAckEth(opcode)) {
            sink += packet.atomicOrig();
        }
        if (Opcode.hasImmDt(opcode)) {
            sink += packet.immData();
        }
        if (Opcode.hasIeth(opcode)) {
            sink += packet.invalidateRkey();
        }
    }
}
