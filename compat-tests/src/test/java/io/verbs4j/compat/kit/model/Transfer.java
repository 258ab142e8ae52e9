/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompCntrOps;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.compat.kit.Capability;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;

/** Moves the data of one send, and completes its counterpart on the other side. */
final class Transfer {
    /** The receiver is not ready yet, and the sender may wait. */
    static final int LATER = -1;

    private static final int GRH = 40;
    private static final int MULTICAST_QPN = 0xffffff;
    static final int FOR_EVER = 7;

    private final ModelQp from;
    private final Send send;

    Transfer(ModelQp from, Send send) {
        this.from = from;
        this.send = send;
    }

    /** {@return a status for the sender, or LATER} */
    int run() {
        if (from.type() == QpType.RAW_PACKET) {
            return Segment.send(from, send);
        }
        if (Later.isLocal(send.opcode)) {
            return new LaterTransfer(this, from, send).here();
        }
        boolean outwards = send.opcode <= WrOpcode.SEND_WITH_IMM || send.opcode == WrOpcode.SEND_WITH_INV;
        byte[] data = outwards ? send.gather(from.handle.pd()) : new byte[send.length()];
        if (data == null) {
            return WcStatus.LOC_PROT_ERR;
        }
        if (from.type() == QpType.UD) {
            return datagram(data);
        }
        ModelQp to = Fabric.QPS.get(from.attributes().destQpNum());
        boolean reliable = from.type() != QpType.UC;
        boolean lost = Fault.SECOND_PORT_LOSES.on() && from.attributes().portNum() == 2;
        boolean there = !lost && to != null && (to.state() == QpState.RTR || to.state() == QpState.RTS);
        if (!there) {
            return reliable ? WcStatus.RETRY_EXC_ERR : WcStatus.SUCCESS;
        }
        int status = switch (send.opcode) {
            case WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.SEND_WITH_INV -> message(to, data, reliable);
            case WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM -> write(to, data, reliable);
            case WrOpcode.RDMA_READ -> read(to);
            case WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_FETCH_AND_ADD -> atomic(to);
            default -> new LaterTransfer(this, from, send).there(to);
        };
        return reliable || status == LATER ? status : WcStatus.SUCCESS;
    }

    // ---- SEND

    int message(ModelQp to, byte[] sent, boolean reliable) {
        byte[] data = sent;
        if (Fault.UC_ONE_PACKET.on() && !reliable && data.length > Fabric.MTU) {
            data = java.util.Arrays.copyOf(data, Fabric.MTU);
        }
        if (Fault.LOSES_LAST_BYTE.on() && data.length == Fabric.MTU) {
            data[data.length - 1]++;
        }
        if (to.srq() != null && to.srq().tags != null) {
            return to.srq().tags.arrive(from, to, data) ? WcStatus.SUCCESS : notReady(reliable, data.length);
        }
        Receives.Entry entry = take(to);
        if (entry == null) {
            return notReady(reliable, data.length);
        }
        int sender = ModelSrd.is(from) && !Fault.SRD_NO_SENDER.on() ? from.number() : 0;
        return deliver(
                to, entry, data, new WorkCompletion().byteLen(data.length).srcQp(sender));
    }

    private Receives.Entry take(ModelQp to) {
        if (to.type() == QpType.XRC_RECV) {
            send.srq = xrcQueue(to);
            return send.srq == null ? null : send.srq.take();
        }
        if (!to.extras.mayReceive()) {
            return null;
        }
        Receives.Entry entry = to.srq() != null ? to.srq().take() : to.receives.take(false);
        if (entry != null) {
            to.extras.received();
        }
        return entry;
    }

    private ModelSrq xrcQueue(ModelQp to) {
        if (Fault.FIRST_SRQ.on()) {
            for (ModelSrq srq : Fabric.SRQS.values()) {
                if (sameDomain(srq, to)) {
                    return srq;
                }
            }
        }
        ModelSrq srq = Fabric.SRQS.get(send.remoteSrqn);
        return srq != null && sameDomain(srq, to) ? srq : null;
    }

    private static boolean sameDomain(ModelSrq srq, ModelQp to) {
        return ((ModelOps.Xrcd) srq.handle.xrcd()).identity == ((ModelOps.Xrcd) to.handle.xrcd()).identity;
    }

    private int notReady(boolean reliable, int length) {
        if (!reliable) {
            return Fault.UC_WAITS.on() ? LATER : WcStatus.SUCCESS;
        }
        if (Fault.IMPATIENT.on() && length > 4096) {
            return WcStatus.RNR_RETRY_EXC_ERR;
        }
        if (!Traits.has(Capability.RNR)) {
            return WcStatus.RNR_RETRY_EXC_ERR;
        }
        boolean forEver = from.attributes().rnrRetry() == FOR_EVER || Fault.WAITS_FOR_EVER.on();
        return forEver ? LATER : WcStatus.RNR_RETRY_EXC_ERR;
    }

    private int deliver(ModelQp to, Receives.Entry entry, byte[] data, WorkCompletion wc) {
        int fits = entry.put(send.srq != null ? send.srq.handle.pd() : to.handle.pd(), data);
        if (fits != WcStatus.SUCCESS) {
            to.received(entry, fits, wc.byteLen(0), send, false);
            to.fail();
            if (Fault.SRD_SHORT_FAILS_PEER.on()) {
                to.stop();
            }
            return fits == WcStatus.LOC_LEN_ERR ? WcStatus.REM_INV_REQ_ERR : WcStatus.REM_OP_ERR;
        }
        if (send.opcode == WrOpcode.SEND_WITH_INV && !ModelWindows.invalidate(to, send.invalidateRkey, true)) {
            to.received(entry, WcStatus.REM_INV_REQ_ERR, wc, send, false);
            to.fail();
            return WcStatus.SUCCESS; // it has arrived
        }
        to.received(entry, WcStatus.SUCCESS, wc, send, false);
        return WcStatus.SUCCESS;
    }

    // ---- datagrams

    private int datagram(byte[] data) {
        boolean group = send.remoteQpn == MULTICAST_QPN;
        ModelQp one = Fabric.QPS.get(send.remoteQpn);
        Set<ModelQp> all =
                group ? Fabric.GROUPS.getOrDefault(send.ah.to, Set.of()) : one == null ? Set.of() : Set.of(one);
        for (ModelQp to : List.copyOf(all)) {
            if (group && to == from && from.extras.blocksSelf && !Fault.HEARS_ITSELF.on()) {
                continue;
            }
            boolean meant = to.attributes().qkey() == send.remoteQkey || Fault.UD_ANY_QKEY.on();
            Receives.Entry entry = meant && to.state() >= QpState.RTR ? take(to) : null;
            if (entry != null) {
                WorkCompletion wc = new WorkCompletion().srcQp(from.number()).byteLen(GRH + data.length);
                boolean told = Traits.has(Capability.SENDER_ADDRESS) && !Fault.UD_NO_GRH_FLAG.on();
                deliver(to, entry, behindHeader(data), wc.wcFlags(told ? WcFlags.GRH : 0));
            }
        }
        return WcStatus.SUCCESS;
    }

    private byte[] behindHeader(byte[] data) {
        ByteBuffer all = ByteBuffer.allocate(GRH + data.length);
        all.putInt(6 << 28).putInt(0);
        all.put(Fabric.GID.toBytes()).put(send.ah == null ? Fabric.GID.toBytes() : send.ah.to.toBytes());
        all.put(data);
        if (Fault.UD_CORRUPT.on() && data.length == 200) {
            all.put(GRH, (byte) ~data[0]);
        }
        return all.array();
    }

    // ---- RDMA and atomics

    int write(ModelQp to, byte[] data, boolean reliable) {
        if (Fault.UC_NO_WRITE.on() && !reliable) {
            return WcStatus.SUCCESS;
        }
        Receives.Entry entry = null;
        boolean immediate = send.opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
        if (immediate) {
            entry = take(to);
            if (entry == null) {
                return notReady(reliable, data.length);
            }
        }
        if (data.length > 0) {
            int beside = Fault.WRITES_BESIDE.on() && data.length == 5000 ? -1 : 0;
            Span[] memory = new Span[1];
            int status = remote(to, send.remoteAddr + beside, data.length, AccessFlags.REMOTE_WRITE, memory);
            if (status != WcStatus.SUCCESS) {
                writeWhatFits(to, data);
                return status;
            }
            memory[0].put(data, 0, data.length);
        }
        if (immediate) {
            int length = Fault.WRITE_WITHOUT_LENGTH.on() ? 0 : data.length;
            to.received(entry, WcStatus.SUCCESS, new WorkCompletion().byteLen(length), send, true);
        }
        to.counters.count(CompCntrOps.REMOTE_RDMA_WRITE, WcStatus.SUCCESS);
        return WcStatus.SUCCESS;
    }

    /** With a fault: a failing write beyond the region still writes up to its end. */
    private void writeWhatFits(ModelQp to, byte[] data) {
        Span[] memory = new Span[1];
        boolean most = Fault.SRD_WRITES_WHAT_FITS.on()
                && ModelSrd.is(from)
                && remote(to, send.remoteAddr, data.length - 1, AccessFlags.REMOTE_WRITE, memory) == WcStatus.SUCCESS;
        if (most) {
            memory[0].put(data, 0, data.length - 1);
        }
    }

    int read(ModelQp to) {
        int beside = Fault.READS_BESIDE.on() && send.length() == 5000 ? 1 : 0;
        Span[] memory = new Span[1];
        int status = remote(to, send.remoteAddr + beside, send.length(), AccessFlags.REMOTE_READ, memory);
        if (status != WcStatus.SUCCESS) {
            return status;
        }
        to.counters.count(CompCntrOps.REMOTE_RDMA_READ, WcStatus.SUCCESS);
        return fetch(memory[0].get());
    }

    private int atomic(ModelQp to) {
        Span[] memory = new Span[1];
        int status = remote(to, send.remoteAddr, Long.BYTES, AccessFlags.REMOTE_ATOMIC, memory);
        if (status != WcStatus.SUCCESS) {
            return status;
        }
        byte[] old = memory[0].get();
        ByteBuffer number = ByteBuffer.wrap(old.clone()).order(ByteOrder.nativeOrder());
        long value = number.getLong(0);
        if (send.opcode == WrOpcode.ATOMIC_FETCH_AND_ADD) {
            long add = Fault.ATOMICS_SWAPPED.on() ? Long.reverseBytes(send.compareAdd) : send.compareAdd;
            number.putLong(0, value + add);
        } else if (value == send.compareAdd) {
            number.putLong(0, send.swap);
        }
        memory[0].put(number.array(), 0, Long.BYTES);
        return fetch(old);
    }

    /** Writes fetched data into the sender's memory. */
    int fetch(byte[] data) {
        int done = 0;
        for (ScatterGatherElement piece : send.pieces) {
            Span memory = Fabric.local(piece, from.handle.pd(), AccessFlags.LOCAL_WRITE, send.opcode);
            if (memory == null) {
                return WcStatus.LOC_PROT_ERR;
            }
            memory.put(data, done, piece.length());
            done += piece.length();
        }
        return WcStatus.SUCCESS;
    }

    int remote(ModelQp to, long addr, int length, int access, Span[] memory) {
        boolean oneKey = !Traits.has(Capability.REGION_KEYS);
        boolean other = Fault.KEY_OPENS_OTHERS.on() && length == Fault.OTHER_BYTES;
        Fabric.Region region = ModelWindows.behind(send.rkey);
        if (oneKey && send.rkey == Fabric.CONNECTION_KEY || other && region != null) {
            region = Fabric.at(addr);
        }
        if (region == null || !oneKey && !ModelWindows.opens(send.rkey, to)) {
            to.fail();
            return Fault.REMOTE_KEY_STATUS.on() ? WcStatus.REM_OP_ERR : WcStatus.REM_ACCESS_ERR;
        }
        boolean anyRight = Fault.SRD_READS_ANY_RIGHT.on() && ModelSrd.is(from) && send.opcode == WrOpcode.RDMA_READ;
        boolean right = (region.access() & access) != 0 || anyRight || oneKey || Fault.NO_REGION_RIGHTS.on();
        boolean open = (to.attributes().qpAccessFlags() & access) != 0 || Fault.NO_QP_RIGHTS.on();
        if (!right || !open || SharedOps.root(region.pd()) != SharedOps.root(to.handle.pd())) {
            to.fail();
            return WcStatus.REM_ACCESS_ERR;
        }
        memory[0] = Fabric.slice(region, addr, length);
        if (memory[0] == null) {
            to.fail();
            boolean window =
                    region.memory() == null || region.length() < region.memory().capacity();
            return Fault.REMOTE_BOUNDS_STATUS.on() && !window ? WcStatus.REM_INV_REQ_ERR : WcStatus.REM_ACCESS_ERR;
        }
        return WcStatus.SUCCESS;
    }
}
