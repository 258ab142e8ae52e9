/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import java.util.Queue;

/** An extended completion queue. One thread uses it, so nobody has to wait till another one has read. */
final class CqEx extends CompletionQueue {
    private static final long EPOCH = 1_700_000_000_000_000_000L;

    private final Loop loop;
    private boolean reading;
    private Loop.Done current;

    CqEx(Loop loop, Context context, CqInitAttrEx attr) {
        super(context, attr.cqe() + 1, attr.userContext(), attr.channel(), attr.wcFlags());
        this.loop = loop;
    }

    @Override
    public int poll(int numEntries, WorkCompletion[] wc) {
        return pollEx(numEntries, wc, 0);
    }

    /** Fills what it has, whatever the caller knows: the completion drops the rest. */
    @Override
    protected int pollEx(int numEntries, WorkCompletion[] wc, int wcSize) {
        Queue<Loop.Done> done = loop.done(this);
        int count = 0;
        while (count < numEntries && !done.isEmpty()) {
            Loop.Done one = done.remove();
            one.tell(wc[count].expect(wcSize));
            if (asked(WcExFlags.COMPLETION_TIMESTAMP)) {
                wc[count].completionTs(one.at);
            }
            if (asked(WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK)) {
                wc[count].completionWallclockNs(EPOCH + one.at);
            }
            count++;
        }
        return count;
    }

    @Override
    public int reqNotify(boolean solicitedOnly) {
        return 0;
    }

    @Override
    public int startPoll(PollCqAttr attr) {
        if (attr != null && !attr.hasOnly(0, 0)) {
            return Errno.EOPNOTSUPP;
        }
        if (reading) {
            return Errno.EBUSY;
        }
        current = loop.done(this).poll();
        reading = current != null;
        return reading ? 0 : Errno.ENOENT;
    }

    @Override
    public int nextPoll() {
        if (!reading) {
            return Errno.EINVAL;
        }
        current = loop.done(this).poll();
        return current == null ? Errno.ENOENT : 0;
    }

    @Override
    public int endPoll() {
        if (!reading) {
            return Errno.EINVAL;
        }
        reading = false;
        current = null;
        return 0;
    }

    private boolean asked(long flag) {
        return (wcFlags() & flag) != 0;
    }

    private Loop.Done current(long flag) {
        if (current == null || flag != 0 && !asked(flag)) {
            throw new VerbsException(Errno.EINVAL, "start_poll", "there is no completion, or it lacks this field");
        }
        return current;
    }

    @Override
    public long wrId() {
        return current(0).wrId;
    }

    @Override
    public int status() {
        current(0);
        return WcStatus.SUCCESS;
    }

    @Override
    public int readOpcode() {
        return current(0).opcode;
    }

    @Override
    public int readByteLen() {
        return current(WcExFlags.BYTE_LEN).length;
    }

    @Override
    public int readQpNum() {
        return current(WcExFlags.QP_NUM).qpNum;
    }

    @Override
    public int readWcFlags() {
        current(0);
        return 0;
    }

    @Override
    public long readCompletionTs() {
        return current(WcExFlags.COMPLETION_TIMESTAMP).at;
    }

    @Override
    public long readCompletionWallclockNs() {
        return EPOCH + current(WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK).at;
    }
}
