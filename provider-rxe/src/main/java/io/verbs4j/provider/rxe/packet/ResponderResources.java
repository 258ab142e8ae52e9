/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.wire.Packet;

/**
 * Remembers the last reads, atomics and atomic writes that were executed, as many as the peer may have outstanding.
 * When one of them is repeated, it is answered again: a read from memory; an atomic, which is not executed twice, with
 * the value it found. Nothing else is.
 *
 * <p>Packets are identified by the number of packets before them since the connection began, which does not wrap around
 * as PSNs do.
 */
final class ResponderResources {
    private final long[] first;
    private final int[] packets;
    private final int[] operation;
    private final int[] srqNum;
    private final int[] rkey;
    private final long[] address;
    private final long[] bytes;
    private final long[] found;
    private long added;

    ResponderResources(int count) {
        first = new long[count];
        packets = new int[count];
        operation = new int[count];
        srqNum = new int[count];
        rkey = new int[count];
        address = new long[count];
        bytes = new long[count];
        found = new long[count];
    }

    /** {@return the number of requests that are remembered} */
    int count() {
        return first.length;
    }

    /** Returns a copy with more room, because the program has allowed the peer more. */
    ResponderResources withRoom(int count) {
        ResponderResources more = new ResponderResources(count);
        for (long n = Math.max(0, added - count()); n < added; n++) {
            int i = (int) (n % count());
            more.add(first[i], packets[i], operation[i], srqNum[i], rkey[i], address[i], bytes[i], found[i]);
        }
        return more;
    }

    void addRead(long at, int number, Packet request) {
        int op = request.opcode();
        long length = request.rethLength();
        add(at, number, op, request.xrcSrqNum(), request.rethRkey(), request.rethVa(), length, 0);
    }

    void addAtomic(long at, Packet request, long value) {
        int op = request.opcode();
        add(at, 1, op, request.xrcSrqNum(), request.atomicRkey(), request.atomicVa(), Long.BYTES, value);
    }

    void addWrite(long at, Packet request) {
        add(at, 1, request.opcode(), 0, request.rethRkey(), request.rethVa(), Long.BYTES, 0);
    }

    private void add(long at, int number, int op, int srq, int key, long va, long length, long value) {
        int i = (int) (added++ % count());
        first[i] = at;
        packets[i] = number;
        operation[i] = op;
        srqNum[i] = srq;
        rkey[i] = key;
        address[i] = va;
        bytes[i] = length;
        found[i] = value;
    }

    /** Returns whether a read is one of these, or the rest of one from some packet on. */
    boolean hasRead(long at, Packet request, int mtu) {
        int i = find(at, request);
        if (i < 0 || request.rethRkey() != rkey[i]) {
            return false;
        }
        long offset = (at - first[i]) * mtu;
        return request.rethVa() == address[i] + offset && request.rethLength() <= bytes[i] - offset;
    }

    /** Returns the index of an atomic, to pass to {@link #found}, or -1. */
    int findAtomic(long at, Packet request) {
        int i = find(at, request);
        return i >= 0 && request.atomicRkey() == rkey[i] && request.atomicVa() == address[i] ? i : -1;
    }

    /** Returns whether an atomic write is one of these. */
    boolean hasWrite(long at, Packet request) {
        int i = find(at, request);
        return i >= 0 && request.rethRkey() == rkey[i] && request.rethVa() == address[i];
    }

    /** Returns the value that an atomic found. */
    long found(int index) {
        return found[index];
    }

    private int find(long at, Packet request) {
        int op = request.opcode();
        int filled = (int) Math.min(added, count());
        for (int i = 0; i < filled; i++) {
            if (at >= first[i] && at - first[i] < packets[i]) {
                return operation[i] == op && srqNum[i] == request.xrcSrqNum() ? i : -1;
            }
        }
        return -1;
    }
}
