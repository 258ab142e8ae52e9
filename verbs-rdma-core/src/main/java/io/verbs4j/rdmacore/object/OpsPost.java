/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.OpsFlags;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.OpsWrOpcode;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.marshal.OpsArea;

/** Posts changes of a matching list, one at a time. Guards the list: nothing is posted after close. */
final class OpsPost {
    private static final int FLAGS = OpsFlags.SIGNALED | OpsFlags.TM_SYNC;

    private final NativeFunction function;
    private final IbvCqEx completions;
    private final TagBook book;
    private final OpsArea area;
    private final int maxOps;
    private final RingLock lock = new RingLock(false);
    private boolean closed;

    /**
     * Creates the post of a list.
     *
     * @param function {@code int post_srq_ops(srq, wr, bad_wr)}
     * @param attr of its queue
     * @param maxSge most elements of a buffer
     */
    OpsPost(NativeFunction function, SrqInitAttrEx attr, int maxSge) {
        this.function = function;
        completions = (IbvCqEx) ((NativeCompletionQueue) attr.cq()).ibv;
        maxOps = attr.tmMaxOps();
        book = new TagBook(attr.tmMaxNumTags());
        area = new OpsArea(maxSge);
        completions.tellTags(book);
    }

    int post(long srq, OpsWorkRequest first, OpsWorkRequest[] badWr) {
        boolean asOwner = lock.lock();
        try {
            int ops = 0;
            OpsWorkRequest wr = first;
            do {
                int error = closed || wr == null
                        ? Errno.EINVAL
                        : ops++ == maxOps ? Errno.ENOMEM : postOne(srq, wr); // also bounds a circular list
                if (error != 0) {
                    return BadWr.tell(wr, badWr, error);
                }
                wr = wr.next();
            } while (wr != null);
            return 0;
        } finally {
            lock.unlock(asOwner);
        }
    }

    private int postOne(long srq, OpsWorkRequest wr) {
        int opcode = wr.opcode(); // read once each: what is checked must be what is posted
        int flags = wr.flags();
        int handle = wr.handle();
        boolean adds = opcode == OpsWrOpcode.TAG_ADD;
        boolean takesOut = opcode == OpsWrOpcode.TAG_DEL;
        if ((flags & ~FLAGS) != 0 || !adds && !takesOut && opcode != OpsWrOpcode.TAG_SYNC) {
            return Errno.EOPNOTSUPP;
        }
        if (takesOut && !book.isListed(handle) || !area.put(wr, opcode, flags, takesOut ? handle : 0, adds)) {
            return Errno.EINVAL;
        }
        long id = wr.recvWrId();
        int error = Answers.errno(function.call(srq, area.request(), area.badWr()));
        if (error == 0 && adds) {
            wr.handle(area.handle());
            book.added(area.handle(), id);
        } else if (error == 0 && takesOut) {
            book.takenOut(handle);
        }
        return error;
    }

    void close(Runnable destroy) {
        lock.locked(() -> {
            destroy.run();
            closed = true;
            completions.forgetTags(book);
            area.free();
        });
    }
}
