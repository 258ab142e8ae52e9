/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.OpsFlags;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.OpsWrOpcode;
import io.verbs4j.TmCapFlags;
import io.verbs4j.TmHeader;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.compat.kit.Capability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The matching list of a shared receive queue of the model. */
final class ModelTags {
    private static final int MOST = 64;
    private static final int FLAGS = OpsFlags.SIGNALED | OpsFlags.TM_SYNC;

    private final ModelSrq srq;
    private final int most;
    private final List<Buffer> buffers = new ArrayList<>();
    private int handles;
    private int unexpected;
    private int handled;

    private static final class Buffer {
        private final int handle;
        private final long tag;
        private final long mask;
        private final Receives.Entry entry;
        private boolean active;

        Buffer(OpsWorkRequest wr, int handle) {
            this.handle = handle;
            tag = wr.tag();
            mask = Fault.TAGS_WHOLE.on() ? -1 : wr.mask();
            entry = new Receives.Entry(wr.recvWrId(), List.of(Receives.copy(wr.sgList(), wr.numSge())));
        }
    }

    ModelTags(ModelSrq srq, int most) {
        this.srq = srq;
        this.most = most;
    }

    static void tell(DeviceAttrEx attr) {
        if (Traits.has(Capability.TAG_MATCHING)) {
            attr.offer(DeviceAttrEx.TM_FLAGS, Fault.TELLS_NO_TAGS.on() ? 0 : TmCapFlags.RC);
            attr.offer(DeviceAttrEx.TM_MAX_NUM_TAGS, MOST);
            attr.offer(DeviceAttrEx.TM_MAX_OPS, MOST);
            attr.offer(DeviceAttrEx.TM_MAX_SGE, DeviceOps.MAX_SGE);
            int header = Traits.has(Capability.TAG_RENDEZVOUS) ? 2 * TmHeader.RNDV_LENGTH : 0;
            attr.offer(DeviceAttrEx.TM_MAX_RNDV_HDR_SIZE, header);
        }
    }

    // ---- the list

    int post(OpsWorkRequest first, OpsWorkRequest[] badWr) {
        int error = first == null ? Errno.EINVAL : 0;
        for (OpsWorkRequest wr = first; wr != null; wr = wr.next()) {
            int one = execute(wr);
            if (one != 0 && error == 0) {
                error = one;
                if (badWr != null) {
                    badWr[0] = wr;
                }
            }
            if (one != 0 && !Fault.TAGS_GO_ON.on()) {
                return error;
            }
        }
        Fabric.run();
        return error;
    }

    private int execute(OpsWorkRequest wr) {
        if ((wr.flags() & ~FLAGS) != 0) {
            return Errno.EOPNOTSUPP;
        }
        return switch (wr.opcode()) {
            case OpsWrOpcode.TAG_ADD -> add(wr);
            case OpsWrOpcode.TAG_DEL -> delete(wr);
            case OpsWrOpcode.TAG_SYNC -> {
                synchronize(wr);
                yield complete(wr, WcOpcode.TM_SYNC, WcStatus.SUCCESS);
            }
            default -> Errno.EOPNOTSUPP;
        };
    }

    private int add(OpsWorkRequest wr) {
        if (buffers.size() == most) {
            return Fault.TAGS_FULL_EINVAL.on() ? Errno.EINVAL : Errno.ENOMEM;
        }
        if (wr.numSge() > DeviceOps.MAX_SGE) {
            return Errno.EINVAL;
        }
        synchronize(wr);
        Buffer buffer = new Buffer(wr, ++handles);
        buffer.active = handled == unexpected || Fault.TAGS_AT_ONCE.on();
        buffers.add(Fault.TAGS_LAST_FIRST.on() ? 0 : buffers.size(), buffer);
        wr.handle(buffer.handle);
        return complete(wr, WcOpcode.TM_ADD, WcStatus.SUCCESS);
    }

    private int delete(OpsWorkRequest wr) {
        synchronize(wr);
        boolean there = buffers.stream().anyMatch(buffer -> buffer.handle == wr.handle());
        if (!Fault.TAGS_STAY.on()) {
            buffers.removeIf(buffer -> buffer.handle == wr.handle());
        }
        boolean well = there || Fault.TAGS_DELETE_NONE.on();
        return complete(wr, WcOpcode.TM_DEL, well ? WcStatus.SUCCESS : WcStatus.TM_ERR);
    }

    private void synchronize(OpsWorkRequest wr) {
        if ((wr.flags() & OpsFlags.TM_SYNC) != 0) {
            handled = wr.unexpectedCnt();
            if (handled == unexpected) {
                buffers.forEach(buffer -> buffer.active = true);
            }
        }
    }

    private int complete(OpsWorkRequest wr, int opcode, int status) {
        boolean told = (wr.flags() & OpsFlags.SIGNALED) != 0 || Fault.TAGS_ALL_SIGNALED.on();
        if (told || status != WcStatus.SUCCESS) {
            int flags = handled == unexpected ? 0 : WcFlags.TM_SYNC_REQ;
            push(new WorkCompletion()
                    .wrId(wr.wrId())
                    .opcode(opcode)
                    .status(status)
                    .wcFlags(flags));
        }
        return 0;
    }

    private void push(WorkCompletion wc) {
        ModelCq.of(srq.handle.cq()).add(wc, false);
    }

    // ---- messages

    /** Delivers a message; returns false if there is no receive for it. */
    boolean arrive(ModelQp from, ModelQp to, byte[] data) {
        ByteBuffer header = ByteBuffer.wrap(data);
        int operation = data.length < TmHeader.LENGTH ? TmHeader.NO_TAG : TmHeader.operation(header, 0);
        boolean tagged = operation == TmHeader.EAGER || operation == TmHeader.RNDV;
        Buffer buffer = tagged ? find(TmHeader.tag(header, 0)) : null;
        if (buffer != null) {
            matched(buffer, from, to, data);
            return true;
        }
        Receives.Entry entry = srq.take();
        if (entry == null) {
            return false;
        }
        unexpected += tagged || Fault.TAGS_COUNT_ALL.on() ? 1 : 0;
        int status = entry.put(to.handle.pd(), data);
        WorkCompletion wc =
                new WorkCompletion().wrId(entry.wrId()).status(status).byteLen(data.length);
        push(wc.opcode(tagged ? WcOpcode.TM_RECV : WcOpcode.TM_NO_TAG).qpNum(to.number()));
        return true;
    }

    private Buffer find(long tag) {
        for (Buffer buffer : buffers) {
            if (buffer.active && (tag & buffer.mask) == buffer.tag) {
                buffers.remove(buffer);
                return buffer;
            }
        }
        return null;
    }

    private void matched(Buffer buffer, ModelQp from, ModelQp to, byte[] data) {
        ByteBuffer header = ByteBuffer.wrap(data);
        boolean announces = TmHeader.operation(header, 0) == TmHeader.RNDV;
        boolean reads = announces && to.isOfDevice();
        byte[] all = announces ? data : Arrays.copyOfRange(data, TmHeader.LENGTH, data.length);
        if (reads) {
            Fabric.Region region = ModelWindows.behind(TmHeader.rkey(header, 0));
            Span memory =
                    region == null ? null : Fabric.slice(region, TmHeader.addr(header, 0), TmHeader.length(header, 0));
            if (memory == null) {
                push(completion(buffer, to, header).status(WcStatus.REM_ACCESS_ERR));
                to.fail();
                from.fail();
                return;
            }
            all = memory.get();
        }
        int status = buffer.entry.put(to.handle.pd(), all);
        if (announces && !reads) {
            status = WcStatus.TM_RNDV_INCOMPLETE;
        }
        boolean twice = reads || data.length > Fabric.MTU;
        if (twice) {
            push(completion(buffer, to, header).wcFlags(WcFlags.TM_MATCH));
        }
        int flags = twice ? WcFlags.TM_DATA_VALID : WcFlags.TM_DATA_VALID | WcFlags.TM_MATCH;
        int length = twice && !reads && Fault.TAGS_LONG_LENGTH.on() ? data.length : all.length;
        WorkCompletion last = completion(buffer, to, header).status(status).byteLen(length);
        if (!twice || !Fault.TAGS_NO_END.on()) {
            push(last.wcFlags(status == WcStatus.SUCCESS ? flags : 0));
        }
        if (reads && !Fault.TAGS_NO_FIN.on()) {
            byte[] end = data.clone();
            end[0] = TmHeader.FIN;
            from.told(end);
        }
    }

    private static WorkCompletion completion(Buffer buffer, ModelQp to, ByteBuffer header) {
        WorkCompletion wc = new WorkCompletion()
                .wrId(buffer.entry.wrId())
                .opcode(WcOpcode.TM_RECV)
                .qpNum(to.number());
        return wc.tmTag(TmHeader.tag(header, 0)).tmPriv(TmHeader.priv(header, 0));
    }
}
