/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WrOpcode;
import java.io.ByteArrayOutputStream;

/** A posted send: a copy, because the program may reuse the request at once. */
final class Send {
    final long wrId;
    final int opcode;
    final int flags;
    final int immData;
    final long remoteAddr;
    final int rkey;
    final long compareAdd;
    final long swap;
    final DeviceOps.Ah ah;
    final int remoteQpn;
    final int remoteQkey;
    final int remoteSrqn;
    final int invalidateRkey;
    final ModelWindows.Bind bind;
    final ScatterGatherElement[] pieces;
    final Later later;

    /** Set only for TSO. */
    final Tso tso;

    private final byte[] inlineData;

    /** With a fault: the send whose immediate data it uses. */
    Send immediateOf;

    /** The shared receive queue of the receive that it used. */
    ModelSrq srq;

    /** How to segment data. */
    static final class Tso {
        final byte[] header;
        final int mss;

        Tso(SendWorkRequest wr) {
            ScatterGatherElement from = wr.tsoHeader();
            Fabric.Region region = Fabric.KEYS.get(from.lkey());
            Span memory = region == null ? null : Fabric.slice(region, from.addr(), from.length());
            header = memory == null ? new byte[from.length()] : memory.get();
            mss = wr.mss();
        }
    }

    Send(SendWorkRequest wr) {
        wrId = wr.wrId();
        opcode = wr.opcode();
        flags = wr.sendFlags();
        immData = wr.immData();
        remoteAddr = wr.remoteAddr();
        rkey = wr.rkey();
        compareAdd = wr.compareAdd();
        swap = wr.swap();
        ah = (DeviceOps.Ah) wr.ah();
        remoteQpn = wr.remoteQpn();
        remoteQkey = wr.remoteQkey();
        remoteSrqn = wr.remoteSrqn();
        invalidateRkey = wr.invalidateRkey();
        bind = opcode == WrOpcode.BIND_MW ? new ModelWindows.Bind(wr) : null;
        later = new Later(wr);
        tso = opcode == WrOpcode.TSO ? new Tso(wr) : null;
        pieces = Receives.copy(wr.sgList(), wr.numSge());
        inlineData = inline() && !Fault.INLINE_LATER.on() ? gather(null) : null;
    }

    boolean inline() {
        return (flags & SendFlags.INLINE) != 0;
    }

    boolean signaled() {
        return (flags & SendFlags.SIGNALED) != 0;
    }

    boolean immediate() {
        return opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    /** Whether nothing is sent to the other side. */
    boolean local() {
        return opcode == WrOpcode.BIND_MW || opcode == WrOpcode.LOCAL_INV;
    }

    int length() {
        int length = 0;
        for (ScatterGatherElement piece : pieces) {
            length += piece.length();
        }
        return length;
    }

    int wcOpcode() {
        return switch (opcode) {
            case WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM -> WcOpcode.RDMA_WRITE;
            case WrOpcode.BIND_MW -> WcOpcode.BIND_MW;
            case WrOpcode.LOCAL_INV -> Fault.INVALIDATES_AS_BIND.on() ? WcOpcode.BIND_MW : WcOpcode.LOCAL_INV;
            case WrOpcode.RDMA_READ -> WcOpcode.RDMA_READ;
            case WrOpcode.ATOMIC_CMP_AND_SWP -> WcOpcode.COMP_SWAP;
            case WrOpcode.ATOMIC_FETCH_AND_ADD -> WcOpcode.FETCH_ADD;
            default -> Later.wcOpcode(opcode);
        };
    }

    /** {@return the bytes, or null if they may not be read} */
    byte[] gather(io.verbs4j.ProtectionDomain pd) {
        if (inlineData != null) {
            return inlineData;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < pieces.length; i++) {
            boolean backwards = Fault.GATHERS_BACKWARDS.on() && pieces.length > 2;
            ScatterGatherElement piece = pieces[backwards ? pieces.length - 1 - i : i];
            Span memory = memory(piece, pd);
            if (memory == null) {
                return null;
            }
            all.writeBytes(memory.get());
        }
        return all.toByteArray();
    }

    private Span memory(ScatterGatherElement piece, io.verbs4j.ProtectionDomain pd) {
        if (!inline()) {
            return Fabric.local(piece, pd, 0, opcode);
        }
        // Inline data needs no key, but the model knows memory only by key.
        Fabric.Region region = Fabric.KEYS.get(piece.lkey());
        return region == null ? null : Fabric.slice(region, piece.addr(), piece.length());
    }
}
