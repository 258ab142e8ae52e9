/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DmaBuffer;
import io.verbs4j.DmaHandle;
import io.verbs4j.DmahInitAttr;
import io.verbs4j.DmahInitAttrMask;
import io.verbs4j.ExportedFd;
import io.verbs4j.FlowAction;
import io.verbs4j.FlowActionEspAttr;
import io.verbs4j.FlowActionEspMask;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.slot.AllocBuf;
import io.verbs4j.slot.AllocDmah;
import io.verbs4j.slot.CreateFlowActionEsp;
import io.verbs4j.slot.DeallocDmah;
import io.verbs4j.slot.DestroyFlowAction;
import io.verbs4j.slot.ExportBufDmabufFd;
import io.verbs4j.slot.FreeBuf;
import io.verbs4j.slot.ModifyFlowActionEsp;
import java.nio.ByteBuffer;

/** The verbs of level 4 about how the device gets at memory, and about actions that flows share. */
final class DmaOps {
    private static final long ADDRESS = 0x7654_3000L;
    private static final long HINTS = DmahInitAttrMask.CPU_ID | DmahInitAttrMask.PH | DmahInitAttrMask.TPH_MEM_TYPE;
    private static final long PARTS = FlowActionEspMask.ESN
            | FlowActionEspMask.ATTR
            | FlowActionEspMask.KEY
            | FlowActionEspMask.REPLAY;

    private static final class Hints extends DmaHandle {
        Hints(Context context) {
            super(context);
        }
    }

    private static final class Action extends FlowAction {
        Action(Context context) {
            super(context);
        }
    }

    private static final class Buffer extends DmaBuffer {
        private final ByteBuffer memory;

        Buffer(ProtectionDomain pd, int length) {
            super(pd, ADDRESS, length);
            memory = ByteBuffer.allocate(length);
        }

        @Override
        protected ByteBuffer memory(long offset, int size) {
            return memory.slice((int) offset, size);
        }
    }

    private final MemoryOps ops;

    DmaOps(MemoryOps ops) {
        this.ops = ops;
    }

    void fill(ContextTable table) {
        table.fillProvider(ContextSlot.ALLOC_DMAH, (AllocDmah) this::allocDmah);
        DeallocDmah dealloc = dmah -> ops.seen("dealloc_dmah", new QpCap(), dmah);
        table.fillProvider(ContextSlot.DEALLOC_DMAH, dealloc);
        table.fillProvider(ContextSlot.ALLOC_BUF, (AllocBuf) this::allocBuf);
        FreeBuf free = buf -> ops.seen("free_buf", new QpCap(), buf);
        table.fillProvider(ContextSlot.FREE_BUF, free);
        table.fillProvider(ContextSlot.EXPORT_BUF_DMABUF_FD, (ExportBufDmabufFd) this::export);
        table.fillProvider(ContextSlot.CREATE_FLOW_ACTION_ESP, (CreateFlowActionEsp) this::createAction);
        table.fillProvider(ContextSlot.MODIFY_FLOW_ACTION_ESP, (ModifyFlowActionEsp) this::modifyAction);
        DestroyFlowAction destroy = action -> ops.seen("destroy_flow_action", new QpCap(), action);
        table.fillProvider(ContextSlot.DESTROY_FLOW_ACTION, destroy);
    }

    private DmaHandle allocDmah(DmahInitAttr attr) {
        ops.see("alloc_dmah", attr);
        ops.mask("alloc_dmah", attr, HINTS);
        return new Hints(ops.context);
    }

    private DmaBuffer allocBuf(ProtectionDomain pd, long length) {
        ops.seen("alloc_buf", new QpCap(), pd).put("length", "" + length);
        return new Buffer(pd, (int) length);
    }

    private ExportedFd export(DmaBuffer buf) {
        ops.seen("export_buf_dmabuf_fd", new QpCap(), buf);
        return SharingOps.descriptor(77);
    }

    private FlowAction createAction(FlowActionEspAttr attr) {
        ops.see("create_flow_action_esp", attr);
        ops.mask("create_flow_action_esp", attr, PARTS);
        return new Action(ops.context);
    }

    private void modifyAction(FlowAction action, FlowActionEspAttr attr) {
        ops.seen("modify_flow_action_esp", attr, action);
        ops.mask("modify_flow_action_esp", attr, PARTS);
    }
}
