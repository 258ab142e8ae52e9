/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

/**
 * Which buffers a matching list has, as far as completions tell. libmlx5 trusts the handle of a buffer to take out, and
 * an unknown one corrupts its memory; so handles are checked here first. Completions have the id of a buffer and not
 * its handle: once one of several buffers with the same id has completed, none of them counts as listed.
 */
public final class TagBook {
    private final boolean[] listed;
    private final long[] ids;

    /** Of a list of so many buffers; libmlx5 has one place more. */
    TagBook(int maxTags) {
        listed = new boolean[maxTags + 1];
        ids = new long[maxTags + 1];
    }

    synchronized void added(int handle, long recvWrId) {
        if (handle >= 0 && handle < listed.length) {
            listed[handle] = true;
            ids[handle] = recvWrId;
        }
    }

    /** Whether a buffer is in the list. */
    synchronized boolean isListed(int handle) {
        return handle >= 0 && handle < listed.length && listed[handle];
    }

    /** A buffer was taken out. */
    synchronized void takenOut(int handle) {
        listed[handle] = false;
    }

    /** A message for a buffer has completed. */
    synchronized void completed(long recvWrId) {
        for (int i = 0; i < listed.length; i++) {
            listed[i] &= ids[i] != recvWrId;
        }
    }
}
