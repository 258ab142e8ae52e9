/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AccessFlags;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.compat.kit.Capability;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The part of {@link Transfer} that came with level 3. */
final class LaterTransfer {
    private final Transfer transfer;
    private final ModelQp from;
    private final Send send;
    private final Later later;

    LaterTransfer(Transfer transfer, ModelQp from, Send send) {
        this.transfer = transfer;
        this.from = from;
        this.send = send;
        this.later = send.later;
    }

    // ---- this side

    int here() {
        return switch (send.opcode) {
            case WrOpcode.REG_MR -> LaterMemory.register(from, send);
            case WrOpcode.LOCAL_INV -> invalidate();
            case WrOpcode.CQE_WAIT -> await();
            case WrOpcode.SEND_ENABLE -> {
                ModelQp whom = ModelQp.of(later.qp);
                boolean all = later.count == 0 || Fault.ENABLES_ALL.on();
                whom.extras.sends = all ? whom.posted() : whom.extras.sends + later.count;
                yield WcStatus.SUCCESS;
            }
            case WrOpcode.RECV_ENABLE -> {
                ModelQp whom = ModelQp.of(later.qp);
                whom.extras.receives = later.count == 0 ? whom.receives.size() : whom.extras.receives + later.count;
                yield WcStatus.SUCCESS;
            }
            default -> WcStatus.SUCCESS;
        };
    }

    private int invalidate() {
        if (later.done) {
            return WcStatus.SUCCESS;
        }
        boolean there = LaterMemory.isValid(later.invalidate) || LaterMemory.wasValid(later.invalidate);
        if (there && !Fault.INVALIDATES_AT_POST.on()) {
            LaterMemory.invalidate(later.invalidate, Fault.OLD_KEYS_OPEN.on());
        }
        return there ? WcStatus.SUCCESS : WcStatus.LOC_QP_OP_ERR;
    }

    private int await() {
        ModelCq cq = ModelCq.of(later.cq);
        boolean own = later.cq == from.handle.sendCq() && Fault.WAITS_FOR_OTHERS.on();
        if (cq == null || own || cq.had - cq.awaited < later.count) {
            return Transfer.LATER;
        }
        cq.awaited += Fault.WAITS_FROM_THE_BEGINNING.on() ? 0 : later.count;
        return WcStatus.SUCCESS;
    }

    // ---- other side

    int there(ModelQp to) {
        return switch (send.opcode) {
            case WrOpcode.ATOMIC_WRITE -> write(to);
            case WrOpcode.FLUSH -> flush(to);
            case WrOpcode.RDMA_READ_WITH_INV -> read(to);
            default -> masked(to);
        };
    }

    private int write(ModelQp to) {
        Span[] memory = new Span[1];
        if (send.remoteAddr % Long.BYTES != 0 && !Fault.ATOMIC_WRITE_ANYWHERE.on()) {
            return invalid(to);
        }
        int right = Fault.ATOMIC_WRITE_NO_RIGHTS.on() ? -1 : AccessFlags.REMOTE_WRITE;
        int status = transfer.remote(to, send.remoteAddr, Long.BYTES, right, memory);
        if (status == WcStatus.SUCCESS) {
            ByteOrder order = Fault.ATOMIC_WRITE_SWAPPED.on() ? ByteOrder.BIG_ENDIAN : ByteOrder.nativeOrder();
            byte[] bytes = ByteBuffer.allocate(Long.BYTES)
                    .order(order)
                    .putLong(0, later.value)
                    .array();
            memory[0].put(bytes, 0, bytes.length);
        }
        return status;
    }

    private static int invalid(ModelQp to) {
        to.fail();
        return WcStatus.REM_INV_REQ_ERR;
    }

    private int flush(ModelQp to) {
        boolean level = later.flushLevel == FlushLevel.RANGE || later.flushLevel == FlushLevel.MR;
        if (later.flushType == 0 || !level && !Fault.FLUSH_ANY_LEVEL.on()) {
            return invalid(to);
        }
        boolean lasting = (later.flushType & FlushType.PERSISTENT) != 0;
        int right = lasting ? AccessFlags.FLUSH_PERSISTENT : AccessFlags.FLUSH_GLOBAL;
        if (Fault.FLUSH_NO_RIGHTS.on() && !lasting || Fault.PERSISTENT_NO_RIGHTS.on() && lasting) {
            right = -1;
        }
        Fabric.Region region =
                Traits.has(Capability.REGION_KEYS) ? Fabric.KEYS.get(send.rkey) : Fabric.at(send.remoteAddr);
        boolean whole = later.flushLevel == FlushLevel.MR && !Fault.FLUSH_MR_HAS_RANGE.on() && region != null;
        Span[] memory = new Span[1];
        return whole
                ? transfer.remote(to, region.addr(), (int) region.length(), right, memory)
                : transfer.remote(to, send.remoteAddr, (int) later.flushLength, right, memory);
    }

    private int read(ModelQp to) {
        int key = send.pieces[0].lkey();
        if (!LaterMemory.isValid(key) && !Fault.READS_INTO_ANY.on()) {
            return WcStatus.LOC_PROT_ERR;
        }
        int status = transfer.read(to);
        if (status == WcStatus.SUCCESS) {
            later.invalidated = Fault.READ_TELLS_NO_KEY.on() ? 0 : key;
            LaterMemory.invalidate(key, Fault.READ_KEEPS_KEY.on());
        }
        return status;
    }

    private int masked(ModelQp to) {
        boolean width = later.width == Integer.BYTES || later.width == Long.BYTES;
        if (!width || send.remoteAddr % later.width != 0 && !Fault.MASKED_ANYWHERE.on()) {
            return invalid(to);
        }
        Span[] memory = new Span[1];
        int right = Fault.MASKED_NO_RIGHTS.on() ? -1 : AccessFlags.REMOTE_ATOMIC;
        int status = transfer.remote(to, send.remoteAddr, later.width, right, memory);
        if (status != WcStatus.SUCCESS) {
            return status;
        }
        byte[] old = memory[0].get();
        long now = now(number(old));
        ByteBuffer written = ByteBuffer.allocate(later.width).order(ByteOrder.nativeOrder());
        if (later.width == Long.BYTES) {
            written.putLong(0, now);
        } else {
            written.putInt(0, (int) now);
        }
        memory[0].put(written.array(), 0, later.width);
        return transfer.fetch(old);
    }

    private long number(byte[] bytes) {
        ByteBuffer number = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        return later.width == Long.BYTES ? number.getLong(0) : number.getInt(0);
    }

    private long now(long old) {
        if (send.opcode == WrOpcode.MASKED_ATOMIC_CMP_AND_SWP) {
            long width = later.width == Long.BYTES ? -1L : 0xffff_ffffL;
            long differing =
                    (old ^ send.compareAdd) & width & (Fault.MASKED_COMPARES_ALL.on() ? -1 : later.compareAddMask);
            long mask = Fault.MASKED_SWAPS_ALL.on() ? -1 : later.swapMask;
            return differing == 0 ? old & ~mask | send.swap & mask : old;
        }
        long tops = Fault.MASKED_CARRIES.on() ? 0 : later.compareAddMask;
        // Without the top bits no field overflows into the next; the top bits are added without a carry.
        return (old & ~tops) + (send.compareAdd & ~tops) ^ (old ^ send.compareAdd) & tops;
    }
}
