/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Handles for tests of builders: queue pairs that record what reaches them, as a list or through the builder. */
final class BuilderFakes {
    private BuilderFakes() {}

    static final class Library extends Context {
        Library() {
            super(new Device("dev0", 1, NodeType.CA, TransportType.IB) {}, new OpenAttr());
        }

        @Override
        protected ContextOps libraryOps() {
            throw new AssertionError("not asked for here");
        }
    }

    static final ProtectionDomain PD = new ProtectionDomain(new Library()) {};
    static final AddressHandle AH = new AddressHandle(PD) {};
    static final MemoryRegion MR = new MemoryRegion(PD, 0x1000, 0x1000, 0, 1, 2) {};
    static final MemoryWindow MW = new MemoryWindow(PD, MwType.TYPE_2, 0x100) {};

    static final CompletionQueue CQ = new CompletionQueue(PD.context(), 1, null, null) {
        @Override
        public int poll(int numEntries, WorkCompletion[] wc) {
            return 0;
        }

        @Override
        public int reqNotify(boolean solicitedOnly) {
            return 0;
        }
    };

    /** A queue pair of a provider without builders. Accepts a given number of requests, then returns ENOMEM. */
    static class OldQp extends QueuePair {
        final List<String> posted = new ArrayList<>();
        int room = Integer.MAX_VALUE;
        int calls;

        OldQp(int qpType) {
            super(PD, new QpInitAttr().qpType(qpType), 7);
        }

        @Override
        public int postSend(SendWorkRequest first, SendWorkRequest[] badWr) {
            calls++;
            for (SendWorkRequest wr = first; wr != null; wr = wr.next()) {
                if (room-- == 0) {
                    badWr[0] = wr;
                    return Errno.ENOMEM;
                }
                posted.add(say(wr));
            }
            return 0;
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return 0;
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            return 0;
        }
    }

    /** A queue pair of a provider that reads builders. */
    static class NewQp extends OldQp {
        int answer;
        int seen;

        NewQp(int qpType) {
            super(qpType);
        }

        @Override
        protected int postBuilt(SendBuilder b) {
            calls++;
            seen = b.count();
            for (int i = 0; i < b.count() && answer == 0; i++) {
                String text = say(b.request(i));
                if (b.isVendorAddressed(i)) {
                    text += " to " + (b.ah(i) == AH) + ' ' + b.remoteNum(i) + ' ' + Long.toHexString(b.remoteKey(i));
                }
                posted.add(text);
            }
            return answer;
        }
    }

    /** A queue pair that records nothing, and is quick. */
    static final class QuietQp extends OldQp {
        long sum;

        QuietQp(int qpType) {
            super(qpType);
        }

        @Override
        public int postSend(SendWorkRequest first, SendWorkRequest[] badWr) {
            for (SendWorkRequest wr = first; wr != null; wr = wr.next()) {
                sum += wr.wrId();
            }
            return 0;
        }
    }

    /** Formats all relevant fields of a request, so that equal texts mean equal requests. */
    static String say(SendWorkRequest wr) {
        StringBuilder text = new StringBuilder(WrOpcode.toString(wr.opcode()));
        text.append(' ').append(wr.wrId()).append(" flags ").append(wr.sendFlags());
        switch (wr.opcode()) {
            case WrOpcode.SEND_WITH_IMM, WrOpcode.RDMA_WRITE_WITH_IMM ->
                text.append(" imm ").append(wr.immData());
            case WrOpcode.LOCAL_INV, WrOpcode.SEND_WITH_INV ->
                text.append(" inv ").append(wr.invalidateRkey());
            case WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_FETCH_AND_ADD -> text.append(operands(wr));
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD ->
                text.append(operands(wr))
                        .append(" masks " + wr.compareAddMask() + ' ' + wr.swapMask() + ' ' + wr.atomicWidth());
            case WrOpcode.FLUSH ->
                text.append(" flush " + wr.flushLength() + ' ' + wr.flushType() + ' ' + wr.flushLevel());
            case WrOpcode.ATOMIC_WRITE -> text.append(" value ").append(wr.atomicWriteValue());
            case WrOpcode.BIND_MW -> {
                MwBind bind = wr.mwBind();
                text.append(
                        " bind " + (wr.mw() == MW) + ' ' + wr.mwRkey() + ' ' + (bind.mr() == MR) + ' ' + bind.addr());
                text.append(" " + bind.length() + ' ' + bind.mwAccessFlags());
            }
            case WrOpcode.REG_MR -> {
                FastRegister r = wr.fastRegister();
                text.append(" reg " + (r.mr() == MR) + ' ' + r.key() + ' ' + r.access() + ' ' + r.addr());
            }
            case WrOpcode.CQE_WAIT -> text.append(" cq " + (wr.waitCq() == CQ) + ' ' + wr.waitCount());
            case WrOpcode.SEND_ENABLE, WrOpcode.RECV_ENABLE ->
                text.append(" qp " + (wr.enableQp() == null ? 0 : wr.enableQp().qpNum()) + ' ' + wr.waitCount());
            default -> {}
        }
        if (List.of(0, 1, 4, 5, 6, 12, 13, 14, 15, WrOpcode.RDMA_READ_WITH_INV).contains(wr.opcode())) {
            text.append(" remote " + wr.remoteAddr() + ' ' + wr.rkey());
        }
        for (int i = 0; i < wr.numSge(); i++) {
            ScatterGatherElement e = wr.sgList()[i];
            text.append(" [" + e.lkey() + ' ' + e.addr() + ' ' + e.length() + ']');
        }
        if (wr.ah() != null) {
            text.append(" ah " + Objects.equals(wr.ah(), AH) + ' ' + wr.remoteQpn() + ' ' + wr.remoteQkey());
        }
        return text.toString();
    }

    private static String operands(SendWorkRequest wr) {
        return " operands " + wr.compareAdd() + ' ' + wr.swap();
    }
}
