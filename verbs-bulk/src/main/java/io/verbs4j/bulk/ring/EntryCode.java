/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.ring;

/** Numbers in submissions and completions. They never change. */
public final class EntryCode {
    public static final int NOP = 0;
    public static final int PUT = 1;
    public static final int GET = 2;
    public static final int SEND = 3;
    public static final int RECV = 4;
    public static final int CANCEL = 5;
    public static final int BARRIER = 6;
    public static final int COPY = 7;

    /** Not in rings: writes bytes of a window that the peer has asked for. */
    public static final int ANSWER = 256;

    public static final int LINK = 1;
    public static final int DRAIN = 2;
    public static final int FENCE = 4;
    public static final int QUIET = 8;
    public static final int NOTIFY = 16;

    /** Valid flags of a submission. */
    public static final int KNOWN_FLAGS = LINK | DRAIN | FENCE | QUIET | NOTIFY;

    public static final int MORE = 1;
    public static final int NOTIFY_ARRIVED = 2;
    public static final int PARTIAL = 4;
    public static final int COPIED = 8;
    public static final int REPLAYED = 16;

    /** {@code ESHUTDOWN}, errno(3). */
    public static final int ESHUTDOWN = 108;

    /** {@code EREMOTEIO}, errno(3). */
    public static final int EREMOTEIO = 121;

    private EntryCode() {}
}
