/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WcTmInfo;
import io.verbs4j.WorkCompletion;

/** An extended completion queue of the model: what a thread reads between startPoll and endPoll. */
final class ModelCqEx extends ModelCq.Handle {
    private WorkCompletion current;

    ModelCqEx(ModelCq model, int cqe, Object userContext, ModelChannel channel, long wcFlags) {
        super(model, cqe, userContext, channel, wcFlags);
    }

    @Override
    protected int pollEx(int numEntries, WorkCompletion[] wc, int wcSize) {
        synchronized (Fabric.LOCK) {
            for (int i = 0; i < numEntries && wc != null && i < wc.length; i++) {
                wc[i].expect(Fault.IGNORES_SIZE_OF_POLL.on() ? WorkCompletion.SIZE : wcSize);
            }
            return model.poll(numEntries, wc, wcFlags());
        }
    }

    @Override
    public int startPoll(PollCqAttr attr) {
        if (attr != null && !attr.hasOnly(0, 0)) {
            return Errno.EOPNOTSUPP;
        }
        synchronized (Fabric.LOCK) {
            if (model.isRead() && !Fault.STARTS_TWICE.on()) {
                return Errno.EBUSY;
            }
            int started = model.begin();
            if (started != 0) {
                return started;
            }
            current = model.take();
            return 0;
        }
    }

    @Override
    public int nextPoll() {
        synchronized (Fabric.LOCK) {
            if (!model.isRead()) {
                return Errno.EINVAL;
            }
            current = model.take();
            return current == null ? Errno.ENOENT : 0;
        }
    }

    @Override
    public int endPoll() {
        synchronized (Fabric.LOCK) {
            if (!model.isRead()) {
                return Errno.EINVAL;
            }
            current = null;
            model.reader = null;
            Fabric.LOCK.notifyAll();
            return 0;
        }
    }

    private WorkCompletion current(long flag) {
        synchronized (Fabric.LOCK) {
            boolean asked = flag == 0 || (wcFlags() & flag) != 0 || Fault.READS_UNASKED.on();
            if (current == null || !model.isRead() || !asked) {
                throw new VerbsException(
                        Errno.EINVAL, "start_poll", "there is no completion, or this was not requested");
            }
            return current;
        }
    }

    @Override
    public long wrId() {
        return current(0).wrId();
    }

    @Override
    public int status() {
        return current(0).status();
    }

    @Override
    public int readOpcode() {
        return current(0).opcode();
    }

    @Override
    public int readVendorErr() {
        return current(0).vendorErr();
    }

    @Override
    public int readWcFlags() {
        return current(0).wcFlags();
    }

    @Override
    public int readByteLen() {
        return current(WcExFlags.BYTE_LEN).byteLen() + (Fault.LAZY_LENGTH.on() ? 1 : 0);
    }

    @Override
    public int readImmData() {
        return current(WcExFlags.IMM).immData();
    }

    @Override
    public int readInvalidatedRkey() {
        return current(WcExFlags.IMM).invalidatedRkey();
    }

    @Override
    public int readQpNum() {
        return current(WcExFlags.QP_NUM).qpNum();
    }

    @Override
    public int readSrcQp() {
        return current(WcExFlags.SRC_QP).srcQp() + (Fault.SRD_LAZY_SENDER.on() ? 1 : 0);
    }

    @Override
    public int readSlid() {
        return current(WcExFlags.SLID).slid();
    }

    @Override
    public int readSl() {
        return current(WcExFlags.SL).sl();
    }

    @Override
    public int readDlidPathBits() {
        return current(WcExFlags.DLID_PATH_BITS).dlidPathBits();
    }

    @Override
    public void readTmInfo(WcTmInfo into) {
        WorkCompletion wc = current(WcExFlags.TM_INFO);
        into.tag(Fault.TAGS_LAZY_INFO.on() ? 0 : wc.tmTag()).priv(wc.tmPriv());
    }

    @Override
    public int readCvlan() {
        return Fault.VLAN_LAZY.on() ? 0 : current(WcExFlags.CVLAN).cvlan();
    }

    @Override
    public int readFlowTag() {
        return Fault.FLOW_LAZY_TAG.on() ? 0 : current(WcExFlags.FLOW_TAG).flowTag();
    }

    @Override
    public long readCompletionTs() {
        WorkCompletion wc = current(WcExFlags.COMPLETION_TIMESTAMP);
        return wc.status() == WcStatus.SUCCESS ? wc.completionTs() : 0;
    }

    @Override
    public long readCompletionWallclockNs() {
        current(WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK);
        return 0; // no queue of the model supports it
    }
}
