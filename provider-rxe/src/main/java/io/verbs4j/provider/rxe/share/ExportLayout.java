/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

/**
 * Layout of the memory file that shares a process's objects with others:
 *
 * <pre>
 *      0 magic   8 state: 1 open, 0 closed   16 process number   24 its start time
 *     32 16 bytes of the nonce   48 the nonce's address   56 process id namespace   64 bytes of the device's name
 *   4096 importers, each: 0 process number   8 its start time
 *        16 writes in progress: index of the entry + 1   256 holds: count(4), number of the object(4)
 *        entries, each: 0 number(4), kind(1), stamp(3); 0: none   8 domain   16 address   24 name   32 length
 *        40 lkey(4), access(4)   48 rkey
 * </pre>
 *
 * <p>Words are in native byte order; parts of a word are listed from its lowest byte. Only the owner writes the head
 * and the entries. From the importers' part it learns for which processes it must wait.
 */
final class ExportLayout {
    static final long MAGIC = 0x7665_7262_7334_0001L;
    static final long OPEN = 1;

    static final int STATE = 8;
    static final int PID = 16;
    static final int BEGAN = 24;
    static final int NONCE = 32;
    static final int NONCE_ADDRESS = 48;
    static final int NAMESPACE = 56;
    static final int DEVICE = 64;
    static final int DEVICE_BYTES = 64;

    /** Maximum number of processes that import at a time. */
    static final int IMPORTERS = 64;

    static final int IMPORTER_BYTES = 2048;
    static final int IMPORTER_BEGAN = 8;

    /** Maximum number of writes in progress per process. */
    static final int WRITES = 30;

    private static final int WRITE = 16;

    /** Maximum number of domains and device memories that a process holds. */
    static final int HOLDS = 224;

    private static final int HOLD = 256;

    /** Maximum number of objects. */
    static final int ENTRIES = 4096;

    static final int ENTRY_BYTES = 64;
    static final int DOMAIN = 8;
    static final int ADDRESS = 16;
    static final int NAME = 24;
    static final int LENGTH = 32;
    static final int ACCESS = 40;
    static final int RKEY = 48;

    private static final int FIRST_IMPORTER = 4096;
    private static final int FIRST_ENTRY = FIRST_IMPORTER + IMPORTERS * IMPORTER_BYTES;
    static final int SIZE = FIRST_ENTRY + ENTRIES * ENTRY_BYTES;

    private static final int KIND_SHIFT = 32;
    private static final int STAMP_SHIFT = 40;

    private ExportLayout() {}

    static int importer(int i) {
        return FIRST_IMPORTER + i * IMPORTER_BYTES;
    }

    /** Offset of a write slot of an importer. */
    static int write(int importer, int i) {
        return importer(importer) + WRITE + i * Long.BYTES;
    }

    /** Offset of a hold slot of an importer. */
    static int hold(int importer, int i) {
        return importer(importer) + HOLD + i * Long.BYTES;
    }

    static int entry(int i) {
        return FIRST_ENTRY + i * ENTRY_BYTES;
    }

    static long head(long stamp, int kind, int number) {
        return stamp << STAMP_SHIFT | (long) kind << KIND_SHIFT | number;
    }

    static int kind(long head) {
        return (int) (head >>> KIND_SHIFT) & 0xff;
    }

    static int number(long head) {
        return (int) head;
    }
}
