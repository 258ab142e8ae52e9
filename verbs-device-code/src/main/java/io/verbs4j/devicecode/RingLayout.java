/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode;

/**
 * The offsets of the fields of {@code struct v4j_ring} in bytes. The struct is in {@code v4j_ring.h}; in a test, gcc
 * compares the two. Layouts only grow at the end.
 */
final class RingLayout {
    /** The layout that {@link DeviceRing} writes. */
    static final int VERSION = 1;

    /** The oldest layout whose texts can use a block that {@link DeviceRing} writes. */
    static final int OLDEST = 1;

    static final int SIZEOF = 256;

    static final int SIZE = 0;
    static final int LAYOUT = 4;
    static final int OLDEST_TEXT = 8;
    static final int VENDOR = 12;
    static final int KIND = 16;
    static final int FLAGS = 20;
    static final int OPERATIONS = 24;
    static final int NUMBER = 28;
    static final int PLACES = 32;
    static final int STRIDE = 36;
    static final int ROOM = 40;
    static final int CQ_PLACES = 44;
    static final int CQ_STRIDE = 48;
    static final int CQ_NUMBER = 52;
    static final int HALF = 56;
    static final int PHASE = 60;
    static final int SENDS = 64;
    static final int RECORD = 72;
    static final int BELL = 80;
    static final int CQES = 88;
    static final int CQ_RECORD = 96;
    static final int DONE = 104;
    static final int BATCH = 112;
    static final int RESERVED = 128;
    static final int READY = 136;
    static final int RUNG = 144;
    static final int WANTED = 152;
    static final int BELL_LOCK = 160;
    static final int BELL_HALF = 164;
    static final int FREED = 192;
    static final int CONSUMED = 200;
    static final int POLL_LOCK = 208;

    /** {@link #KIND}. */
    static final int QP = 1;

    static final int CQ = 2;

    /** {@link #FLAGS}. */
    static final int PROXY = 1;

    private RingLayout() {}
}
