/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.OpsFlags;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.OpsWrOpcode;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.TmHeader;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;

/** A side that receives through a matching list. See {@link TagRules}. */
final class TagRig extends Rig {
    static final String DESCRIBED =
            "ibv_create_srq_ex(3) (IBV_SRQT_TM), ibv_post_srq_ops(3), and docs/guides/tag-matching.md";
    static final String LIST = "SharedReceiveQueue.postSrqOps";
    static final String MESSAGES = "the completions of a shared receive queue of type TM";
    static final int TAGS = 8;
    static final int PRIV = 0x5e5f6061;
    static final long OPERATION = 99;
    static final long ALL = -1;

    // Layout of b's memory: ordinary receives, then tagged buffers.
    static final int ROOM = 2048;
    private static final int FIRST_BUFFER = 8 * ROOM;

    CompletionQueue tags;
    SharedReceiveQueue list;

    TagRig(ProviderKit kit) {
        super(kit);
    }

    /** Connects {@code a} to a queue pair of {@code b} that receives through a matching list. */
    void startTags(boolean ofDevice) {
        make(side -> {});
        tags = made(
                CompletionQueue.class,
                b.context.createCqEx(new CqInitAttrEx().cqe(64).wcFlags(WcExFlags.STANDARD | WcExFlags.TM_INFO)));
        list = made(
                SharedReceiveQueue.class,
                b.context.createSrqEx(new SrqInitAttrEx()
                        .srqType(SrqType.TM)
                        .pd(b.pd)
                        .cq(tags)
                        .attr(new SrqAttr().maxWr(8).maxSge(1))
                        .tmCap(TAGS, TAGS)));
        QpInitAttr attr = b.qpInit().srq(list);
        attr.cap().maxRecvWr(0).maxRecvSge(0);
        if (ofDevice) {
            attr.cap().maxSendWr(0).maxSendSge(0).maxInlineData(0);
        }
        b.qp = made(QueuePair.class, b.pd.createQp(attr));
        Side.connect(a, b);
        for (int i = 0; i < 4; i++) {
            Seen.errno("postRecv", 0, list.postRecv(receive(i)));
        }
    }

    private RecvWorkRequest receive(int slot) {
        return new RecvWorkRequest().wrId(slot).sgList(b.sge(slot * ROOM, ROOM));
    }

    void startTags() {
        startTags(false);
    }

    static int buffer(int id) {
        return FIRST_BUFFER + id * ROOM;
    }

    OpsWorkRequest add(int id, long tag, long mask) {
        ScatterGatherElement buffer = b.sge(buffer(id), ROOM);
        return new OpsWorkRequest()
                .wrId(OPERATION)
                .opcode(OpsWrOpcode.TAG_ADD)
                .flags(OpsFlags.SIGNALED)
                .recvWrId(id)
                .tag(tag)
                .mask(mask)
                .sgList(buffer);
    }

    OpsWorkRequest post(OpsWorkRequest wr) {
        Seen.errno("postSrqOps of " + OpsWrOpcode.toString(wr.opcode()), 0, list.postSrqOps(wr));
        return wr;
    }

    /** Adds a buffer, and waits until it is in the list. */
    OpsWorkRequest added(int id, long tag, long mask) {
        OpsWorkRequest wr = post(add(id, tag, mask));
        operation(WcOpcode.TM_ADD, 0);
        return wr;
    }

    static OpsWorkRequest delete(OpsWorkRequest of) {
        return new OpsWorkRequest()
                .wrId(OPERATION)
                .opcode(OpsWrOpcode.TAG_DEL)
                .flags(OpsFlags.SIGNALED)
                .handle(of.handle());
    }

    WorkCompletion next() {
        return completion(tags);
    }

    static void is(WorkCompletion wc, long wrId, int opcode, int flags) {
        Seen.equal("status", WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(wc.status()));
        Seen.equal("wrId", wrId, wc.wrId());
        Seen.equal("opcode", WcOpcode.toString(opcode), WcOpcode.toString(wc.opcode()));
        Seen.equal("wcFlags", WcFlags.toString(flags), WcFlags.toString(wc.wcFlags()));
    }

    void operation(int opcode, int flags) {
        is(next(), OPERATION, opcode, flags);
    }

    void send(int operation, long tag, int payload) {
        TmHeader.write(a.memory.buffer, 0, operation, PRIV, tag);
        a.post(a.wr(WrOpcode.SEND, 5, a.sge(0, TmHeader.LENGTH + payload)));
        a.next(5, WcStatus.SUCCESS);
    }

    void eager(long tag, int payload) {
        send(TmHeader.EAGER, tag, payload);
    }

    /** Checks that the next message is in a buffer, without its header. */
    void matched(int id, long tag, int payload) {
        WorkCompletion wc = next();
        is(wc, id, WcOpcode.TM_RECV, WcFlags.TM_MATCH | WcFlags.TM_DATA_VALID);
        Seen.equal("byteLen", payload, wc.byteLen());
        Seen.equal("tmTag", tag, wc.tmTag());
        Seen.equal("tmPriv", PRIV, wc.tmPriv());
        b.memory.holds(buffer(id), a.memory, TmHeader.LENGTH, payload);
    }

    /** Checks that the next message is in an ordinary receive, with its header. */
    void whole(int slot, int opcode, long tag, int payload) {
        WorkCompletion wc = next();
        is(wc, slot, opcode, 0);
        Seen.equal("byteLen", TmHeader.LENGTH + payload, wc.byteLen());
        Seen.equal("the tag in the receive", tag, TmHeader.tag(b.memory.buffer, slot * ROOM));
        b.memory.holds(slot * ROOM + TmHeader.LENGTH, a.memory, TmHeader.LENGTH, payload);
    }

    /** Announces the data after the headers in {@code a}'s memory. */
    void announce(long tag, int payload) {
        long data = a.mr.addr() + ROOM;
        TmHeader.writeRndv(a.memory.buffer, 0, PRIV, tag, data, a.mr.rkey(), payload);
        a.post(a.wr(WrOpcode.SEND, 5, a.sge(0, TmHeader.RNDV_LENGTH)));
    }
}
