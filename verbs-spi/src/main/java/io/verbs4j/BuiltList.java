/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Arrays;

/**
 * Converts the requests of a builder to work requests, for providers that read only those. The objects are created once
 * and kept.
 */
final class BuiltList {
    /** A request, and the elements that it may have. */
    private static final class Item {
        final SendWorkRequest wr = new SendWorkRequest();
        final MwBind bind = new MwBind();
        final FastRegister register = new FastRegister();
        ScatterGatherElement[] elements = {new ScatterGatherElement()};
    }

    private final BuiltRequests built;
    private final SendWorkRequest[] badWr = {null};
    private Item[] items = {};
    private int taken;
    private int used;

    BuiltList(BuiltRequests built) {
        this.built = built;
    }

    /** Returns the number of requests that a failed {@link #post} posted, once; afterwards 0. */
    int takeTaken() {
        int result = taken;
        taken = 0;
        return result;
    }

    /** Posts all requests; returns 0 or an errno. */
    int post(QueuePair qp) {
        taken = 0;
        int count = built.count();
        try {
            makeItems(count);
            used = count;
            for (int i = 0; i < count; i++) {
                int refused = refusal(qp, i);
                if (refused != 0) {
                    return refused;
                }
                fill(items[i], i);
                items[i].wr.next(i + 1 < count ? items[i + 1].wr : null);
            }
        } catch (OutOfMemoryError e) {
            return Errno.ENOMEM;
        }
        badWr[0] = null;
        int result = qp.postSend(items[0].wr, badWr);
        taken = result == 0 ? 0 : before(badWr[0], count);
        badWr[0] = null;
        return result;
    }

    /** Returns one request, as the same object each time. */
    SendWorkRequest single(int i) {
        try {
            makeItems(1);
            used = Math.max(used, 1);
            Item item = items[0];
            fill(item, i);
            return item.wr.next(null);
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    private void makeItems(int count) {
        int there = items.length;
        if (there < count) {
            Item[] larger = Arrays.copyOf(items, Math.max(count, 2 * there));
            for (int i = there; i < larger.length; i++) {
                larger[i] = new Item();
            }
            items = larger;
        }
    }

    /** Returns the number of requests before one, or 0 if it is not among them. */
    private int before(SendWorkRequest bad, int count) {
        for (int i = 0; i < count; i++) {
            if (items[i].wr == bad) {
                return i;
            }
        }
        return 0;
    }

    /** Returns the errno for what a list cannot express: an address that is missing, or that only a vendor defines. */
    private int refusal(QueuePair qp, int i) {
        int type = qp.qpType();
        if (type == QpType.UD && !built.isAddressed(i) || type == QpType.XRC_SEND && !built.namesSrq(i)) {
            return Errno.EINVAL;
        }
        return built.isVendorAddressed(i) ? Errno.EOPNOTSUPP : 0;
    }

    private void fill(Item item, int i) {
        SendWorkRequest wr = item.wr;
        int opcode = built.opcode(i);
        int count = built.numSge(i);
        wr.wrId(built.wrId(i))
                .opcode(opcode)
                .sendFlags(built.sendFlags(i) | (built.isInline(i) ? SendFlags.INLINE : 0))
                .remoteAddr(built.remoteAddr(i))
                .rkey(built.rkey(i))
                .immData(built.immData(i))
                .invalidateRkey(built.invalidateRkey(i))
                .sgList(elements(item, i, count), count);
        if (built.isAddressed(i)) {
            wr.ah(built.ah(i)).remoteQpn(built.remoteNum(i)).remoteQkey((int) built.remoteKey(i));
        } else {
            wr.ah(null);
        }
        if (built.namesSrq(i)) {
            wr.remoteSrqn(built.remoteSrqn(i));
        }
        if (opcode > WrOpcode.RDMA_READ) {
            operands(item, opcode, i);
        }
    }

    private ScatterGatherElement[] elements(Item item, int i, int count) {
        int there = item.elements.length;
        if (there < count) {
            ScatterGatherElement[] larger = Arrays.copyOf(item.elements, count);
            for (int k = there; k < count; k++) {
                larger[k] = new ScatterGatherElement();
            }
            item.elements = larger;
        }
        for (int k = 0; k < count; k++) {
            long first = built.element(i, k, 0);
            item.elements[k].lkey((int) first).length((int) (first >>> 32)).addr(built.element(i, k, 1));
        }
        return item.elements;
    }

    private void operands(Item item, int opcode, int i) {
        SendWorkRequest wr = item.wr;
        switch (opcode) {
            case WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_FETCH_AND_ADD ->
                wr.compareAdd(built.operand(i, 0)).swap(built.operand(i, 1));
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD ->
                wr.compareAdd(built.operand(i, 0))
                        .swap(built.operand(i, 1))
                        .compareAddMask(built.operand(i, 2))
                        .swapMask(built.operand(i, 3))
                        .atomicWidth((int) built.operand(i, 4));
            case WrOpcode.FLUSH ->
                wr.flushLength(built.operand(i, 0))
                        .flushType((int) (built.operand(i, 1) >>> 32))
                        .flushLevel((int) built.operand(i, 1));
            case WrOpcode.ATOMIC_WRITE -> wr.atomicWriteValue(built.operand(i, 0));
            case WrOpcode.BIND_MW ->
                wr.mw((MemoryWindow) built.object(i, 0))
                        .mwRkey((int) (built.number(i, 0) >>> 32))
                        .mwBind(item.bind
                                .mr((MemoryRegion) built.object(i, 1))
                                .addr(built.remoteAddr(i))
                                .length(built.number(i, 1))
                                .mwAccessFlags((int) built.number(i, 0)));
            case WrOpcode.REG_MR ->
                wr.fastRegister(item.register
                        .mr((MemoryRegion) built.object(i, 0))
                        .key((int) (built.number(i, 0) >>> 32))
                        .access((int) built.number(i, 0))
                        .addr(built.remoteAddr(i)));
            case WrOpcode.CQE_WAIT ->
                wr.waitCq((CompletionQueue) built.object(i, 0)).waitCount((int) built.number(i, 0));
            case WrOpcode.SEND_ENABLE, WrOpcode.RECV_ENABLE ->
                wr.enableQp((QueuePair) built.object(i, 0)).waitCount((int) built.number(i, 0));
            default -> {} // no operands
        }
    }

    /** Drops the references to the program's objects. */
    void forget() {
        for (int i = 0; i < used; i++) {
            release(items[i]);
        }
        used = 0;
    }

    private static void release(Item item) {
        item.wr.ah(null).mw(null).mwBind(null).fastRegister(null).waitCq(null).enableQp(null);
        item.bind.mr(null);
        item.register.mr(null);
    }
}
