/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.ring;

/**
 * Field offsets of a ring's memory in bytes; little-endian. The layout never changes, because another version of this
 * library or another process may map the memory. Head and tail words are 128 bytes apart, because processors fetch
 * cache lines in pairs.
 */
public final class RingLayout {
    /** "VBRN" in memory byte order. */
    public static final int MAGIC_VALUE = 0x4e52_4256;

    public static final int VERSION_VALUE = 1;

    public static final int MAGIC = 0;
    public static final int VERSION = 4;
    public static final int SQ_ENTRIES = 8;
    public static final int CQ_ENTRIES = 12;
    public static final int SQ_ENTRY_SIZE = 16;
    public static final int CQ_ENTRY_SIZE = 20;
    public static final int SQ_TAIL = 128;
    public static final int SQ_HEAD = 256;
    public static final int FLAGS = 260;
    public static final int CQ_TAIL = 384;
    public static final int CQ_HEAD = 512;
    public static final int HEADER = 640;

    /** Flag bit: the thread that takes submissions sleeps and must be woken. */
    public static final int NEED_WAKEUP = 1;

    /** Flag bit: completions wait for room in the completion ring. */
    public static final int CQ_OVERFLOW = 2;

    /** Size of a submission. */
    public static final int SQE = 64;

    public static final int SQE_OPCODE = 0;
    public static final int SQE_FLAGS = 1;
    public static final int SQE_STREAM = 2;
    public static final int SQE_PEER = 4;
    public static final int SQE_USER_DATA = 8;
    public static final int SQE_LENGTH = 16;
    public static final int SQE_BUFFER = 24;
    public static final int SQE_DEADLINE = 28;
    public static final int SQE_LOCAL_OFFSET = 32;
    public static final int SQE_WINDOW = 40;
    public static final int SQE_REMOTE_OFFSET = 48;
    public static final int SQE_VALUE = 56;

    /** Size of a completion. */
    public static final int CQE = 32;

    public static final int CQE_USER_DATA = 0;
    public static final int CQE_RESULT = 8;
    public static final int CQE_FLAGS = 16;
    public static final int CQE_PEER = 20;
    public static final int CQE_VALUE = 24;

    private RingLayout() {}
}
