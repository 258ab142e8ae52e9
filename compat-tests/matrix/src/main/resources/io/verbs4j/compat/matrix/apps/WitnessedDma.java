/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.DmaBuffer;
import io.verbs4j.DmaHandle;
import io.verbs4j.DmahInitAttr;
import io.verbs4j.Errno;
import io.verbs4j.EspAesGcm;
import io.verbs4j.FlowAction;
import io.verbs4j.FlowActionEspAttr;
import io.verbs4j.FlowActionEspFlags;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpecActionHandle;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.RegMrMask;
import java.nio.ByteBuffer;

/** Every attribute of hints, of buffers that the device allocates and of actions that flows share, there and back. */
final class WitnessedDma extends WitnessedCounters {
    private static final int FIRST = ContextSlot.ALLOC_DMAH;
    private static final int LAST = ContextSlot.EXPORT_BUF_DMABUF_FD;
    private static final String WITNESS = "the witness does not know bits 0x";
    private static final int LENGTH = 5000;

    WitnessedDma(Context context) {
        super(context);
    }

    @Override
    void steps() {
        super.steps();
        boolean there = context.queryContext().hasVerb(FIRST);
        step("slots_of_dma", () -> slotsOfDma(there));
        if (there) {
            step("alloc_dmah", this::hints);
            step("alloc_buf", this::buffer);
            step("flow_action_esp", this::action);
        }
    }

    private void slotsOfDma(boolean there) {
        slotsOf4(FIRST, LAST, there);
        equal("export_buf_dmabuf_fd", ContextSlot.verb(LAST));
    }

    private void hints() {
        DmahInitAttr attr = new DmahInitAttr().cpuId(71).ph(2).tphMemType(73);
        DmaHandle dmah = arrives(attr, () -> context.allocDmah(attr));
        equal(7L, attr.compMask());
        refused(Errno.EINVAL, "ph is 4", () -> context.allocDmah(new DmahInitAttr().ph(4)));
        refused(Errno.EOPNOTSUPP, WITNESS, () -> {
            DmahInitAttr unknown = new DmahInitAttr();
            unknown.masks(1L << 5, 0);
            context.allocDmah(unknown);
        });
        try (MemoryRegion first = pd.regMr(ByteBuffer.allocateDirect(64), AccessFlags.LOCAL_WRITE)) {
            RegMrAttrEx memory = new RegMrAttrEx().addr(first.addr()).length(64).dmah(dmah);
            MemoryRegion mr = arrives(memory, () -> pd.regMrEx(memory));
            equal(RegMrMask.ADDR | RegMrMask.DMAH, memory.compMask());
            refused(Errno.EBUSY, "1 memory region", dmah::close);
            mr.close();
        }
        dmah.close();
        dmah.close();
        equal("dealloc_dmah", last().get("verb"));
        equal("@" + System.identityHashCode(dmah), last().get("handle"));
    }

    private void buffer() {
        DmaBuffer buf = pd.allocBuf(LENGTH);
        equal("alloc_buf", last().get("verb"));
        equal("@" + System.identityHashCode(pd), last().get("handle"));
        equal("" + LENGTH, last().get("length"));
        buf.buffer(1000, 100).put(99, (byte) 42);
        equal((byte) 42, buf.buffer(1099, 1).get(0));
        RegMrAttrEx part = new RegMrAttrEx().buf(buf).addr(buf.addr() + 100).length(LENGTH - 100);
        MemoryRegion mr = arrives(part, () -> pd.regMrEx(part));
        equal(RegMrMask.ADDR | RegMrMask.BUF, part.compMask());
        refused(Errno.EBUSY, "1 memory region", buf::close);
        refused(Errno.EINVAL, "of buf, which has", () -> pd.regMrEx(part.length(LENGTH - 99)));
        mr.close();
        equal(77, buf.exportDmabufFd().fd());
        equal("export_buf_dmabuf_fd", last().get("verb"));
        buf.close();
        buf.close();
        equal("free_buf", last().get("verb"));
        equal("@" + System.identityHashCode(buf), last().get("handle"));
    }

    private void action() {
        byte[] key = new byte[32];
        key[31] = 9;
        FlowActionEspAttr attr = new FlowActionEspAttr()
                .spi(81)
                .seq(82)
                .tfcPad(83)
                .flags(FlowActionEspFlags.FULL_OFFLOAD)
                .hardLimitPkts(85)
                .esn(86)
                .replayWindow(87)
                .key(new EspAesGcm(key).iv(88).salt(89).icvLen(8));
        FlowAction action = arrives(attr, () -> context.createFlowActionEsp(attr));
        equal(0x70001L, attr.compMask());
        FlowActionEspAttr change = new FlowActionEspAttr().esn(90);
        arrives(change, () -> {
            action.modifyEsp(change);
            return action;
        });
        equal("@" + System.identityHashCode(action), last().get("handle"));
        refused(Errno.EINVAL, "lacks", () -> context.createFlowActionEsp(new FlowActionEspAttr().esn(1)));
        refused(Errno.EINVAL, "the key has 7 bytes", () -> action.modifyEsp(change.key(new EspAesGcm(new byte[7]))));
        refused(Errno.EOPNOTSUPP, WITNESS, () -> {
            FlowActionEspAttr unknown = new FlowActionEspAttr();
            unknown.masks(1L << 5, 0);
            action.modifyEsp(unknown);
        });
        QueuePair qp = context.createQpEx(new QpInitAttrEx()
                .qpType(QpType.RAW_PACKET)
                .pd(pd)
                .sendCq(sends)
                .recvCq(receives)
                .cap(asked()));
        qp.createFlow(new FlowAttr().port(1).specs(new FlowSpecActionHandle(action))).close();
        qp.close();
        action.close();
        equal("destroy_flow_action", last().get("verb"));
    }
}
