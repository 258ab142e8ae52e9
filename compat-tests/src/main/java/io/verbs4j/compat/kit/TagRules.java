/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Ece;
import io.verbs4j.Errno;
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
import io.verbs4j.TmCapFlags;
import io.verbs4j.TmHeader;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WcTmInfo;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.util.Map;

/** R25: tag matching. {@code a} sends; {@code b} has the matching list. */
abstract class TagRules extends WorkQueueRules {
    private static final String DESCRIBED =
            "ibv_create_srq_ex(3) (IBV_SRQT_TM), ibv_post_srq_ops(3), and docs/guides/tag-matching.md";
    private static final String LIST = "SharedReceiveQueue.postSrqOps";
    private static final String MESSAGES = "the completions of a shared receive queue of type TM";
    private static final int TAGS = 8;
    private static final int PRIV = 0x5e5f6061;
    private static final long OPERATION = 99;
    private static final long ALL = -1;

    // Where things lie in b's memory: ordinary receives, then tagged buffers.
    private static final int ROOM = 2048;
    private static final int FIRST_BUFFER = 8 * ROOM;
    private static final int NO_FLAG = 1 << 20;

    private CompletionQueue tags;
    private SharedReceiveQueue list;

    /** For {@link ProviderKit}. */
    TagRules() {}

    /** Connects {@code a} to a queue pair of {@code b} that receives by a matching list. */
    private void startTags(boolean ofDevice) {
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

    private void startTags() {
        startTags(false);
    }

    private static int buffer(int id) {
        return FIRST_BUFFER + id * ROOM;
    }

    // ---- the list

    private OpsWorkRequest add(int id, long tag, long mask) {
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

    private OpsWorkRequest post(OpsWorkRequest wr) {
        Seen.errno("postSrqOps of " + OpsWrOpcode.toString(wr.opcode()), 0, list.postSrqOps(wr));
        return wr;
    }

    /** Adds a buffer, and waits until it is in the list. */
    private OpsWorkRequest added(int id, long tag, long mask) {
        OpsWorkRequest wr = post(add(id, tag, mask));
        operation(WcOpcode.TM_ADD, 0);
        return wr;
    }

    private static OpsWorkRequest delete(OpsWorkRequest of) {
        return new OpsWorkRequest()
                .wrId(OPERATION)
                .opcode(OpsWrOpcode.TAG_DEL)
                .flags(OpsFlags.SIGNALED)
                .handle(of.handle());
    }

    private WorkCompletion next() {
        return completion(tags);
    }

    private static void is(WorkCompletion wc, long wrId, int opcode, int flags) {
        Seen.equal("status", WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(wc.status()));
        Seen.equal("wrId", wrId, wc.wrId());
        Seen.equal("opcode", WcOpcode.toString(opcode), WcOpcode.toString(wc.opcode()));
        Seen.equal("wcFlags", WcFlags.toString(flags), WcFlags.toString(wc.wcFlags()));
    }

    private void operation(int opcode, int flags) {
        is(next(), OPERATION, opcode, flags);
    }

    // ---- messages

    private void send(int operation, long tag, int payload) {
        TmHeader.write(a.memory.buffer, 0, operation, PRIV, tag);
        a.post(a.wr(WrOpcode.SEND, 5, a.sge(0, TmHeader.LENGTH + payload)));
        a.next(5, WcStatus.SUCCESS);
    }

    private void eager(long tag, int payload) {
        send(TmHeader.EAGER, tag, payload);
    }

    /** Checks that the next message is in a buffer, without its header. */
    private void matched(int id, long tag, int payload) {
        WorkCompletion wc = next();
        is(wc, id, WcOpcode.TM_RECV, WcFlags.TM_MATCH | WcFlags.TM_DATA_VALID);
        Seen.equal("byteLen", payload, wc.byteLen());
        Seen.equal("tmTag", tag, wc.tmTag());
        Seen.equal("tmPriv", PRIV, wc.tmPriv());
        b.memory.holds(buffer(id), a.memory, TmHeader.LENGTH, payload);
    }

    /** Checks that the next message is in an ordinary receive, with its header. */
    private void whole(int slot, int opcode, long tag, int payload) {
        WorkCompletion wc = next();
        is(wc, slot, opcode, 0);
        Seen.equal("byteLen", TmHeader.LENGTH + payload, wc.byteLen());
        Seen.equal("the tag in the receive", tag, TmHeader.tag(b.memory.buffer, slot * ROOM));
        b.memory.holds(slot * ROOM + TmHeader.LENGTH, a.memory, TmHeader.LENGTH, payload);
    }

    // ---- the rules

    @Rule(
            id = "R25.01",
            since = 4,
            says = "the buffer whose tag matches under the mask takes the message; the completion reports the header",
            look = {LIST, MESSAGES},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    final void r2501Matched() {
        startTags();
        added(1, 0x1234, ALL);
        added(2, 0x34, 0xff);
        eager(0x5634, 100);
        matched(2, 0x5634, 100);
        eager(0x1234, 700);
        matched(1, 0x1234, 700);
        added(3, 0, 0);
        eager(0x8000_0000_0000_1234L, 10);
        begin(tags);
        WcTmInfo info = new WcTmInfo();
        tags.readTmInfo(info);
        Seen.equal("the tag of readTmInfo", 0x8000_0000_0000_1234L, info.tag());
        Seen.equal("priv of readTmInfo", PRIV, info.priv());
        tags.endPoll();
    }

    @Rule(
            id = "R25.02",
            since = 4,
            says = "of buffers that fit, the one that was added first takes the message, and each takes one",
            look = {LIST, MESSAGES},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    final void r2502Order() {
        startTags();
        added(1, 0x30, 0xf0);
        added(2, 0, 0);
        added(3, 0x35, ALL);
        for (int i = 1; i <= 3; i++) {
            eager(0x35, 50 + i);
            matched(i, 0x35, 50 + i);
        }
        eager(0x35, 54);
        whole(0, WcOpcode.TM_RECV, 0x35, 54);
    }

    @Rule(
            id = "R25.03",
            since = 4,
            says = "a message without a tag goes to an ordinary receive, with its header, and is not counted",
            look = {MESSAGES},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    final void r2503NoTag() {
        startTags();
        added(1, 0, 0);
        send(TmHeader.NO_TAG, 7, 30);
        whole(0, WcOpcode.TM_NO_TAG, 7, 30);
        added(2, 7, ALL);
        eager(7, 31);
        matched(1, 7, 31);
        eager(7, 32);
        matched(2, 7, 32);
    }

    @Rule(
            id = "R25.04",
            since = 4,
            says = "a buffer added after an unexpected message takes none until the program acknowledges that message",
            look = {LIST, MESSAGES},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    final void r2504Unexpected() {
        startTags();
        added(1, 5, ALL);
        eager(6, 50);
        whole(0, WcOpcode.TM_RECV, 6, 50);
        post(add(2, 5, ALL));
        operation(WcOpcode.TM_ADD, WcFlags.TM_SYNC_REQ);
        eager(5, 51);
        matched(1, 5, 51);
        eager(5, 52);
        whole(1, WcOpcode.TM_RECV, 5, 52);
        post(new OpsWorkRequest()
                .wrId(OPERATION)
                .opcode(OpsWrOpcode.TAG_SYNC)
                .flags(OpsFlags.SIGNALED | OpsFlags.TM_SYNC)
                .unexpectedCnt(1));
        WorkCompletion partly = next();
        is(partly.wcFlags(0), OPERATION, WcOpcode.TM_SYNC, 0); // some devices report different counts here, some later
        eager(5, 53);
        whole(2, WcOpcode.TM_RECV, 5, 53);
        post(add(3, 9, ALL).flags(OpsFlags.SIGNALED | OpsFlags.TM_SYNC).unexpectedCnt(3));
        operation(WcOpcode.TM_ADD, 0);
        eager(5, 54);
        matched(2, 5, 54);
        eager(9, 55);
        matched(3, 9, 55);
    }

    @Rule(
            id = "R25.05",
            since = 4,
            says = "a deleted buffer takes no message, and a buffer that has a message cannot be deleted",
            look = {LIST},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    final void r2505Deleted() {
        startTags();
        OpsWorkRequest first = added(1, 5, ALL);
        OpsWorkRequest second = added(2, 5, ALL);
        post(delete(first));
        operation(WcOpcode.TM_DEL, 0);
        eager(5, 40);
        post(delete(second)); // before its completion is polled
        matched(2, 5, 40);
        WorkCompletion wc = next();
        Seen.equal("status of TAG_DEL", WcStatus.toString(WcStatus.TM_ERR), WcStatus.toString(wc.status()));
        Seen.equal("wrId", OPERATION, wc.wrId());
    }

    @Rule(
            id = "R25.06",
            since = 4,
            says = "a list takes as many buffers as it was made for; one more fails with ENOMEM until one is deleted",
            look = {LIST},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    final void r2506Full() {
        startTags();
        int most = b.context.queryDeviceEx().tmMaxNumTags();
        OpsWorkRequest last = null;
        int count = 0;
        int error = 0;
        while (error == 0 && count <= most) {
            OpsWorkRequest wr = add(1, 1000 + count, ALL);
            error = list.postSrqOps(wr);
            if (error == 0) {
                operation(WcOpcode.TM_ADD, 0);
                last = wr;
                count++;
            }
        }
        Seen.atLeast("how many buffers the list has taken", TAGS, count);
        Seen.errno("postSrqOps of TAG_ADD to a full list", Errno.ENOMEM, error);
        post(delete(last));
        operation(WcOpcode.TM_DEL, 0);
        added(2, 5, ALL);
        eager(5, 60);
        matched(2, 5, 60);
    }

    @Rule(
            id = "R25.07",
            since = 4,
            says = "SIGNALED operations complete in the order of a list; a refused one is reported and ends the list",
            look = {LIST},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    final void r2507Lists() {
        startTags();
        OpsWorkRequest quiet = add(1, 1, ALL).flags(0).wrId(11);
        OpsWorkRequest told = add(2, 2, ALL).wrId(12);
        OpsWorkRequest wrong = add(3, 3, ALL).wrId(13).opcode(NO_FLAG);
        OpsWorkRequest behind = add(4, 4, ALL).wrId(14);
        quiet.next(told.next(wrong.next(behind)));
        OpsWorkRequest[] bad = new OpsWorkRequest[1];
        Seen.errno("postSrqOps of an unknown operation", Errno.EOPNOTSUPP, list.postSrqOps(quiet, bad));
        Seen.check(bad[0] == wrong, "badWr is not the one that was refused");
        is(next(), 12, WcOpcode.TM_ADD, 0);
        eager(4, 70);
        whole(0, WcOpcode.TM_RECV, 4, 70);
        eager(1, 71);
        matched(1, 1, 71);
        Seen.errno(
                "postSrqOps with flag bit 20, which no level has,",
                Errno.EOPNOTSUPP,
                list.postSrqOps(add(5, 5, ALL).flags(NO_FLAG)));
        Seen.errno("postSrqOps of null", Errno.EINVAL, list.postSrqOps(null));
        if (hasSrq()) {
            SharedReceiveQueue basic = opened(b.context.createSrqEx(new SrqInitAttrEx()
                    .srqType(SrqType.BASIC)
                    .pd(b.pd)
                    .attr(new SrqAttr().maxWr(4).maxSge(1))));
            Seen.errno("postSrqOps to a queue of type BASIC", Errno.EINVAL, basic.postSrqOps(add(5, 5, ALL)));
        }
    }

    @Rule(
            id = "R25.08",
            since = 4,
            says = "a completion reports that all packets of a message have arrived; one before may report the match",
            look = {MESSAGES},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    final void r2508Long() {
        startTags();
        added(1, 5, ALL);
        eager(5, Side.MTU + 900);
        WorkCompletion wc = next();
        Seen.equal("tmTag", 5L, wc.tmTag());
        if (wc.wcFlags() == WcFlags.TM_MATCH) {
            is(wc, 1, WcOpcode.TM_RECV, WcFlags.TM_MATCH);
            wc = next();
            is(wc, 1, WcOpcode.TM_RECV, WcFlags.TM_DATA_VALID);
        } else {
            is(wc, 1, WcOpcode.TM_RECV, WcFlags.TM_MATCH | WcFlags.TM_DATA_VALID);
        }
        Seen.equal("byteLen", Side.MTU + 900, wc.byteLen());
        b.memory.holds(buffer(1), a.memory, TmHeader.LENGTH, Side.MTU + 900);
    }

    /** Announces what lies behind the headers in {@code a}'s memory. */
    private void announce(long tag, int payload) {
        long data = a.mr.addr() + ROOM;
        TmHeader.writeRndv(a.memory.buffer, 0, PRIV, tag, data, a.mr.rkey(), payload);
        a.post(a.wr(WrOpcode.SEND, 5, a.sge(0, TmHeader.RNDV_LENGTH)));
    }

    @Rule(
            id = "R25.09",
            since = 4,
            says = "a queue pair without sends of its own reads what a message announces, then notifies the sender",
            look = {MESSAGES, LIST},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_READ, Capability.REGION_KEYS, Capability.TAG_RENDEZVOUS})
    final void r2509Announced() {
        startTags(true);
        added(1, 5, ALL);
        a.recv(7, 4 * ROOM, 64);
        announce(5, 1800);
        WorkCompletion first = next();
        is(first, 1, WcOpcode.TM_RECV, WcFlags.TM_MATCH);
        Seen.equal("tmTag", 5L, first.tmTag());
        WorkCompletion second = next();
        is(second, 1, WcOpcode.TM_RECV, WcFlags.TM_DATA_VALID);
        Seen.equal("byteLen", 1800, second.byteLen());
        b.memory.holds(buffer(1), a.memory, ROOM, 1800);
        Map<Long, WorkCompletion> told = a.all(2); // in either order
        WorkCompletion end = told.get(7L);
        Seen.check(end != null && told.containsKey(5L), "the sender's completions are of " + told.keySet());
        Seen.equal("status", WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(end.status()));
        Seen.atLeast("byteLen of the notification", TmHeader.LENGTH, end.byteLen());
        Seen.equal("its operation", TmHeader.FIN, TmHeader.operation(a.memory.buffer, 4 * ROOM));
        Seen.equal("its tag", 5L, TmHeader.tag(a.memory.buffer, 4 * ROOM));
    }

    @Rule(
            id = "R25.10",
            since = 4,
            says = "queryDeviceEx reports the tag matching that the kit declares, and its limits",
            look = {"the function in the slot QUERY_DEVICE_EX"},
            man = "ibv_query_device_ex(3), and docs/guides/tag-matching.md",
            needs = {Capability.QUERY_DEVICE_EX, Capability.TAG_MATCHING})
    final void r2510Told() {
        DeviceAttrEx attr = open().queryDeviceEx();
        Seen.check((attr.tmFlags() & TmCapFlags.RC) != 0, "tmFlags lacks RC");
        Seen.atLeast("tmMaxNumTags", TAGS, attr.tmMaxNumTags());
        Seen.atLeast("tmMaxOps", TAGS, attr.tmMaxOps());
        Seen.atLeast("tmMaxSge", 1, attr.tmMaxSge());
        Seen.check(
                !hasTagRendezvous() || attr.tmMaxRndvHdrSize() >= TmHeader.RNDV_LENGTH,
                "tmMaxRndvHdrSize is " + attr.tmMaxRndvHdrSize());
    }

    @Rule(
            id = "R25.11",
            since = 4,
            says = "connection options belong to a vendor; queryEce returns those that were both offered and set",
            look = {"the functions in the slots SET_ECE and QUERY_ECE"},
            man = "ibv_set_ece(3), ibv_query_ece(3)",
            needs = {Capability.RC, Capability.ECE})
    final void r2511Options() {
        make(side -> {});
        Ece offered = a.qp.queryEce();
        Seen.check(offered.vendorId() != 0, "vendorId is 0");
        int some = Integer.lowestOneBit(offered.options());
        a.qp.setEce(new Ece().vendorId(offered.vendorId()).options(some));
        b.qp.setEce(new Ece().vendorId(offered.vendorId()).options(some));
        Side.connect(a, b);
        Ece agreed = a.qp.queryEce();
        Seen.equal("the vendor after setEce", offered.vendorId(), agreed.vendorId());
        Seen.equal("the options after setEce", some, agreed.options());
        a.exchange(b, 1, 0, 0, 100);
        Ece foreign = new Ece().vendorId(offered.vendorId() ^ 1).options(some);
        QueuePair another = a.anotherQp();
        Seen.refuses("setEce of another vendor", () -> another.setEce(foreign), Errno.EINVAL);
    }
}
