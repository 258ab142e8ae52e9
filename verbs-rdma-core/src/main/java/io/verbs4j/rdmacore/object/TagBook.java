/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

/**
 * Tracks the buffers of a matching list, as far as completions show. libmlx5 trusts the handle of a buffer to remove,
 * and an unknown one corrupts its memory, so handles are checked here first. Completions have the id of a buffer, not
 * its handle: once one of several buffers with the same id has completed, none of them counts as listed.
 */
public final class TagBook {
    private final boolean[] listed;
    private final long[] ids;

    /** Creates the book of a list of {@code maxTags} buffers; libmlx5 has one more entry. */
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

    /** {@return whether a buffer is in the list} */
    synchronized boolean isListed(int handle) {
        return handle >= 0 && handle < listed.length && listed[handle];
    }

    /** Removes a buffer. */
    synchronized void takenOut(int handle) {
        listed[handle] = false;
    }

    /** Removes the buffers with an id after a message has completed. */
    synchronized void completed(long recvWrId) {
        for (int i = 0; i < listed.length; i++) {
            listed[i] &= ids[i] != recvWrId;
        }
    }
}
