/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.TagRig.ALL;
import static io.verbs4j.compat.kit.TagRig.DESCRIBED;
import static io.verbs4j.compat.kit.TagRig.LIST;
import static io.verbs4j.compat.kit.TagRig.MESSAGES;
import static io.verbs4j.compat.kit.TagRig.OPERATION;
import static io.verbs4j.compat.kit.TagRig.PRIV;
import static io.verbs4j.compat.kit.TagRig.ROOM;
import static io.verbs4j.compat.kit.TagRig.TAGS;
import static io.verbs4j.compat.kit.Unknown.NO_FLAG;

import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Ece;
import io.verbs4j.Errno;
import io.verbs4j.OpsFlags;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.OpsWrOpcode;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.TmCapFlags;
import io.verbs4j.TmHeader;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WcTmInfo;
import io.verbs4j.WorkCompletion;
import java.util.Map;

/** R25: tag matching. {@code a} sends; {@code b} has the matching list. */
interface TagRules {
    @Rule(
            id = "R25.01",
            since = 4,
            says = "the buffer whose tag matches under the mask takes the message; the completion reports the header",
            look = {LIST, MESSAGES},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    default void r2501Matched(TagRig rig) {
        rig.startTags();
        rig.added(1, 0x1234, ALL);
        rig.added(2, 0x34, 0xff);
        rig.eager(0x5634, 100);
        rig.matched(2, 0x5634, 100);
        rig.eager(0x1234, 700);
        rig.matched(1, 0x1234, 700);
        rig.added(3, 0, 0);
        rig.eager(0x8000_0000_0000_1234L, 10);
        rig.startPolling(rig.tags);
        WcTmInfo info = new WcTmInfo();
        rig.tags.readTmInfo(info);
        Seen.equal("the tag of readTmInfo", 0x8000_0000_0000_1234L, info.tag());
        Seen.equal("priv of readTmInfo", PRIV, info.priv());
        rig.tags.endPoll();
    }

    @Rule(
            id = "R25.02",
            since = 4,
            says = "of buffers that fit, the one that was added first takes the message, and each takes one",
            look = {LIST, MESSAGES},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    default void r2502Order(TagRig rig) {
        rig.startTags();
        rig.added(1, 0x30, 0xf0);
        rig.added(2, 0, 0);
        rig.added(3, 0x35, ALL);
        for (int i = 1; i <= 3; i++) {
            rig.eager(0x35, 50 + i);
            rig.matched(i, 0x35, 50 + i);
        }
        rig.eager(0x35, 54);
        rig.whole(0, WcOpcode.TM_RECV, 0x35, 54);
    }

    @Rule(
            id = "R25.03",
            since = 4,
            says = "a message without a tag goes to an ordinary receive, with its header, and is not counted",
            look = {MESSAGES},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    default void r2503NoTag(TagRig rig) {
        rig.startTags();
        rig.added(1, 0, 0);
        rig.send(TmHeader.NO_TAG, 7, 30);
        rig.whole(0, WcOpcode.TM_NO_TAG, 7, 30);
        rig.added(2, 7, ALL);
        rig.eager(7, 31);
        rig.matched(1, 7, 31);
        rig.eager(7, 32);
        rig.matched(2, 7, 32);
    }

    @Rule(
            id = "R25.04",
            since = 4,
            says = "a buffer added after an unexpected message takes none until the program acknowledges that message",
            look = {LIST, MESSAGES},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    default void r2504Unexpected(TagRig rig) {
        rig.startTags();
        rig.added(1, 5, ALL);
        rig.eager(6, 50);
        rig.whole(0, WcOpcode.TM_RECV, 6, 50);
        rig.post(rig.add(2, 5, ALL));
        rig.operation(WcOpcode.TM_ADD, WcFlags.TM_SYNC_REQ);
        rig.eager(5, 51);
        rig.matched(1, 5, 51);
        rig.eager(5, 52);
        rig.whole(1, WcOpcode.TM_RECV, 5, 52);
        rig.post(new OpsWorkRequest()
                .wrId(OPERATION)
                .opcode(OpsWrOpcode.TAG_SYNC)
                .flags(OpsFlags.SIGNALED | OpsFlags.TM_SYNC)
                .unexpectedCnt(1));
        WorkCompletion partly = rig.next();
        TagRig.is(
                partly.wcFlags(0),
                OPERATION,
                WcOpcode.TM_SYNC,
                0); // some devices report different counts here, some later
        rig.eager(5, 53);
        rig.whole(2, WcOpcode.TM_RECV, 5, 53);
        rig.post(rig.add(3, 9, ALL).flags(OpsFlags.SIGNALED | OpsFlags.TM_SYNC).unexpectedCnt(3));
        rig.operation(WcOpcode.TM_ADD, 0);
        rig.eager(5, 54);
        rig.matched(2, 5, 54);
        rig.eager(9, 55);
        rig.matched(3, 9, 55);
    }

    @Rule(
            id = "R25.05",
            since = 4,
            says = "a deleted buffer takes no message, and a buffer that has a message cannot be deleted",
            look = {LIST},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    default void r2505Deleted(TagRig rig) {
        rig.startTags();
        OpsWorkRequest first = rig.added(1, 5, ALL);
        OpsWorkRequest second = rig.added(2, 5, ALL);
        rig.post(TagRig.delete(first));
        rig.operation(WcOpcode.TM_DEL, 0);
        rig.eager(5, 40);
        rig.post(TagRig.delete(second)); // before its completion is polled
        rig.matched(2, 5, 40);
        WorkCompletion wc = rig.next();
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
    default void r2506Full(TagRig rig) {
        rig.startTags();
        int most = rig.b.context.queryDeviceEx().tmMaxNumTags();
        OpsWorkRequest last = null;
        int count = 0;
        int error = 0;
        while (error == 0 && count <= most) {
            OpsWorkRequest wr = rig.add(1, 1000 + count, ALL);
            error = rig.list.postSrqOps(wr);
            if (error == 0) {
                rig.operation(WcOpcode.TM_ADD, 0);
                last = wr;
                count++;
            }
        }
        Seen.atLeast("the number of buffers that the list accepted", TAGS, count);
        Seen.errno("postSrqOps of TAG_ADD to a full list", Errno.ENOMEM, error);
        rig.post(TagRig.delete(last));
        rig.operation(WcOpcode.TM_DEL, 0);
        rig.added(2, 5, ALL);
        rig.eager(5, 60);
        rig.matched(2, 5, 60);
    }

    @Rule(
            id = "R25.07",
            since = 4,
            says = "SIGNALED operations complete in the order of a list; a refused one is reported and ends the list",
            look = {LIST},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    default void r2507Lists(TagRig rig) {
        rig.startTags();
        OpsWorkRequest quiet = rig.add(1, 1, ALL).flags(0).wrId(11);
        OpsWorkRequest told = rig.add(2, 2, ALL).wrId(12);
        OpsWorkRequest wrong = rig.add(3, 3, ALL).wrId(13).opcode(NO_FLAG);
        OpsWorkRequest behind = rig.add(4, 4, ALL).wrId(14);
        quiet.next(told.next(wrong.next(behind)));
        OpsWorkRequest[] bad = new OpsWorkRequest[1];
        Seen.errno("postSrqOps of an unknown operation", Errno.EOPNOTSUPP, rig.list.postSrqOps(quiet, bad));
        Seen.check(bad[0] == wrong, "badWr is not the refused operation");
        TagRig.is(rig.next(), 12, WcOpcode.TM_ADD, 0);
        rig.eager(4, 70);
        rig.whole(0, WcOpcode.TM_RECV, 4, 70);
        rig.eager(1, 71);
        rig.matched(1, 1, 71);
        Seen.errno(
                "postSrqOps with flag bit 20, which no level defines,",
                Errno.EOPNOTSUPP,
                rig.list.postSrqOps(rig.add(5, 5, ALL).flags(NO_FLAG)));
        Seen.errno("postSrqOps of null", Errno.EINVAL, rig.list.postSrqOps(null));
        if (rig.has(Capability.SRQ)) {
            SharedReceiveQueue basic = rig.opened(rig.b.context.createSrqEx(new SrqInitAttrEx()
                    .srqType(SrqType.BASIC)
                    .pd(rig.b.pd)
                    .attr(new SrqAttr().maxWr(4).maxSge(1))));
            Seen.errno("postSrqOps to a queue of type BASIC", Errno.EINVAL, basic.postSrqOps(rig.add(5, 5, ALL)));
        }
    }

    @Rule(
            id = "R25.08",
            since = 4,
            says = "a completion reports that all packets of a message have arrived; one before may report the match",
            look = {MESSAGES},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.TAG_MATCHING})
    default void r2508Long(TagRig rig) {
        rig.startTags();
        rig.added(1, 5, ALL);
        rig.eager(5, Side.MTU + 900);
        WorkCompletion wc = rig.next();
        Seen.equal("tmTag", 5L, wc.tmTag());
        if (wc.wcFlags() == WcFlags.TM_MATCH) {
            TagRig.is(wc, 1, WcOpcode.TM_RECV, WcFlags.TM_MATCH);
            wc = rig.next();
            TagRig.is(wc, 1, WcOpcode.TM_RECV, WcFlags.TM_DATA_VALID);
        } else {
            TagRig.is(wc, 1, WcOpcode.TM_RECV, WcFlags.TM_MATCH | WcFlags.TM_DATA_VALID);
        }
        Seen.equal("byteLen", Side.MTU + 900, wc.byteLen());
        rig.b.memory.holds(TagRig.buffer(1), rig.a.memory, TmHeader.LENGTH, Side.MTU + 900);
    }

    @Rule(
            id = "R25.09",
            since = 4,
            says = "a queue pair without sends of its own reads what a message announces, then notifies the sender",
            look = {MESSAGES, LIST},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_READ, Capability.REGION_KEYS, Capability.TAG_RENDEZVOUS})
    default void r2509Announced(TagRig rig) {
        rig.startTags(true);
        rig.added(1, 5, ALL);
        rig.a.recv(7, 4 * ROOM, 64);
        rig.announce(5, 1800);
        WorkCompletion first = rig.next();
        TagRig.is(first, 1, WcOpcode.TM_RECV, WcFlags.TM_MATCH);
        Seen.equal("tmTag", 5L, first.tmTag());
        WorkCompletion second = rig.next();
        TagRig.is(second, 1, WcOpcode.TM_RECV, WcFlags.TM_DATA_VALID);
        Seen.equal("byteLen", 1800, second.byteLen());
        rig.b.memory.holds(TagRig.buffer(1), rig.a.memory, ROOM, 1800);
        Map<Long, WorkCompletion> told = rig.a.all(2); // in either order
        WorkCompletion end = told.get(7L);
        Seen.check(end != null && told.containsKey(5L), "the sender's completions are of " + told.keySet());
        Seen.equal("status", WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(end.status()));
        Seen.atLeast("byteLen of the notification", TmHeader.LENGTH, end.byteLen());
        Seen.equal(
                "the operation of the notification", TmHeader.FIN, TmHeader.operation(rig.a.memory.buffer, 4 * ROOM));
        Seen.equal("the tag of the notification", 5L, TmHeader.tag(rig.a.memory.buffer, 4 * ROOM));
    }

    @Rule(
            id = "R25.10",
            since = 4,
            says = "queryDeviceEx reports the tag matching that the kit declares, and its limits",
            look = {"the function in the slot QUERY_DEVICE_EX"},
            man = "ibv_query_device_ex(3), and docs/guides/tag-matching.md",
            needs = {Capability.QUERY_DEVICE_EX, Capability.TAG_MATCHING})
    default void r2510Told(Rig rig) {
        DeviceAttrEx attr = rig.open().queryDeviceEx();
        Seen.check((attr.tmFlags() & TmCapFlags.RC) != 0, "tmFlags lacks RC");
        Seen.atLeast("tmMaxNumTags", TAGS, attr.tmMaxNumTags());
        Seen.atLeast("tmMaxOps", TAGS, attr.tmMaxOps());
        Seen.atLeast("tmMaxSge", 1, attr.tmMaxSge());
        Seen.check(
                !rig.has(Capability.TAG_RENDEZVOUS) || attr.tmMaxRndvHdrSize() >= TmHeader.RNDV_LENGTH,
                "tmMaxRndvHdrSize is " + attr.tmMaxRndvHdrSize());
    }

    @Rule(
            id = "R25.11",
            since = 4,
            says = "connection options belong to a vendor; queryEce returns those that were both offered and set",
            look = {"the functions in the slots SET_ECE and QUERY_ECE"},
            man = "ibv_set_ece(3), ibv_query_ece(3)",
            needs = {Capability.RC, Capability.ECE})
    default void r2511Options(Rig rig) {
        rig.make(side -> {});
        Ece offered = rig.a.qp.queryEce();
        Seen.check(offered.vendorId() != 0, "vendorId is 0");
        int some = Integer.lowestOneBit(offered.options());
        rig.a.qp.setEce(new Ece().vendorId(offered.vendorId()).options(some));
        rig.b.qp.setEce(new Ece().vendorId(offered.vendorId()).options(some));
        Side.connect(rig.a, rig.b);
        Ece agreed = rig.a.qp.queryEce();
        Seen.equal("the vendor after setEce", offered.vendorId(), agreed.vendorId());
        Seen.equal("the options after setEce", some, agreed.options());
        rig.a.exchange(rig.b, 1, 0, 0, 100);
        Ece foreign = new Ece().vendorId(offered.vendorId() ^ 1).options(some);
        QueuePair another = rig.a.anotherQp();
        Seen.refuses("setEce of another vendor", () -> another.setEce(foreign), Errno.EINVAL);
    }
}
